// A replay at the table: the server sends the film that the one who asks may see, and takes up the game from any step.

import { address, get, key, named, post } from "./server.js";
import { replay } from "./replay.js";
import { h } from "./board.js";

async function begin() {
  const name = named(), eyes = new URLSearchParams(location.hash.slice(1)).get("eyes") ?? "-2";
  const { film, title, words, branch } = await get(`/api/live/${name}/film?eyes=${eyes}`);
  document.title = `${title}: a replay`;
  document.querySelector("h1").textContent = title;
  document.querySelector("header p").replaceChildren(words, " ", h("a", { href: address(name) }, "back to the table"));
  const playOn = async (step) => {
    const made = await post(`/api/live/${name}/branch`, { step });
    location.href = address(made.name);
  };
  replay(film, document, { branch: branch ? playOn : null, keepsPlace: false });
}

const say = (error) => document.querySelector("header").append(h("p", { role: "alert" }, error.message));
if (!key) say(new Error("This address has no key: open the replay from the menu of a game."));
else begin().catch(say);
