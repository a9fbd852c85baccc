// The menu: a new game, the games there are, links for other people, the keys of the keyboard.

import { h, seatSign } from "./board.js";
import { address, get, post, replayed } from "./server.js";

export async function openMenu({ now, say, play }) {
  document.querySelector("dialog.sheet")?.remove();
  const dialog = h("dialog", { class: "sheet", "aria-labelledby": "menu-title" });
  const parts = [h("h2", { id: "menu-title" }, "Games")];
  try {
    const lobby = now.host || !now.name ? await get("/api/lobby") : null;
    if (lobby) parts.push(newGame(lobby, play, say), games(lobby.live, play));
  } catch (error) {
    parts.push(h("p", {}, error.message));
  }
  if (now.told && Object.keys(now.keys).length) parts.push(invitations(now));
  if (now.told) parts.push(replay(now));
  parts.push(colours(), keyboard());
  if (now.name) parts.push(h("p", { class: "side-by-side" }, h("button", { type: "button", onclick: () => dialog.close() }, "Back to the game")));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(...parts);
  document.body.append(dialog);
  dialog.showModal();
}

// ------------------------------------------------------------------ a new game

function newGame(lobby, play, say) {
  const choice = h("select", { id: "new-game" }, lobby.games.map((game) => h("option", { value: game.name, selected: game.name === lobby.default }, game.title)));
  const rest = h("div");
  const wrong = h("p", { role: "alert", hidden: true });
  const chosen = () => lobby.games.find((game) => game.name === choice.value);
  const fill = () => rest.replaceChildren(...fields(chosen()));
  choice.addEventListener("change", fill);
  fill();
  const submit = async (event) => {
    event.preventDefault();
    try {
      const { name } = await post("/api/new", read(chosen(), event.target));
      play(name);
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
  };
  return h("form", { onsubmit: submit, id: "new" }, h("h3", {}, "A new game"), h("label", {}, "Game ", choice), rest, wrong,
    h("p", { class: "side-by-side" }, h("button", { class: "main", type: "submit" }, "Begin")));
}

function fields(game) {
  const players = h("select", { name: "players" }, game.players.map((number) => h("option", { value: number, selected: number === Math.max(2, game.players[0]) }, number === 1 ? "1 (solo)" : number)));
  const seats = h("div");
  const fill = () => seats.replaceChildren(...seatRows(game, Number(players.value)));
  players.addEventListener("change", fill);
  fill();
  const options = game.options.map(optionField);
  return [h("label", {}, "Players ", players), seats,
    options.length ? h("details", {}, h("summary", {}, "Options"), options) : null].filter(Boolean);
}

function seatRows(game, players) {
  const people = Array.from({ length: players }, (_, seat) => seat);
  const levels = (game.levels[players] ?? []).map((name, place) => [`level:${place + 1}`, `level ${place + 1}: ${name}`]);
  const agents = game.agents.map((usage) => usage.replace("[:PATH]", "").replace(":N", ":200"));
  const codes = [["person", "a person"], ...levels, ...agents.map((code) => [code, code])];
  return people.map((seat) => h("div", { class: "seat-row" }, seatSign(seat),
    h("label", {}, `Seat ${seat + 1}`, h("select", { "data-seat": seat }, codes.map(([code, word]) =>
      h("option", { value: code, selected: code === (seat === 0 || players === 1 ? "person" : game.usual) }, word)))),
    h("label", {}, "Name", h("input", { "data-name": seat, maxlength: 24, autocomplete: "off" }))));
}

function optionField(option) {
  if (option.type === "bool") {
    return h("label", {}, option.help, h("select", { "data-option": option.name, "data-type": "bool" },
      [["", "as usual"], ["true", "yes"], ["false", "no"]].map(([value, word]) => h("option", { value }, word))));
  }
  return h("label", {}, option.help, h("input", { "data-option": option.name, "data-type": option.type, inputmode: option.type === "int" ? "numeric" : null, placeholder: option.metavar, autocomplete: "off" }));
}

/** The form as the server takes it; what was left alone is left out. */
function read(game, form) {
  const options = { players: Number(form.querySelector("[name=players]").value) };
  for (const field of form.querySelectorAll("[data-option]")) {
    const { option, type } = field.dataset;
    if (field.value === "") continue;
    options[option] = type === "bool" ? field.value === "true" : type === "int" ? Number(field.value) : field.value;
  }
  const values = (name) => [...form.querySelectorAll(`[data-${name}]`)].map((field) => field.value);
  return { game: game.name, options, seats: values("seat"), names: values("name") };
}

// ------------------------------------------------------------------ the rest

function games(list, play) {
  if (!list.length) return "";
  return h("section", {}, h("h3", {}, "Go on with"), h("ul", { class: "games" }, list.slice(0, 12).map((game) =>
    h("li", {}, h("button", { type: "button", onclick: () => play(game.name) },
      `${game.title}: ${game.names.join(", ")}`, " ", h("small", {}, game.over ? "finished" : `after ${game.step} decisions`))))));
}

function invitations(now) {
  return h("section", {}, h("h3", {}, "Other browsers"), h("p", {}, "Whoever has the address of a seat plays it, with nobody else's cards in sight. Others on the network can open it only if the program was started with --host."),
    Object.entries(now.keys).map(([seat, own]) => h("p", { class: "invite" }, seatSign(Number(seat)), ` ${now.told.names[seat]}: `, h("code", {}, address(now.name, own)))));
}

function replay(now) {
  const save = async () => {
    const { page } = await get(`/api/live/${now.name}/replay`);
    const link = h("a", { download: `${now.name}.html`, href: URL.createObjectURL(new Blob([page], { type: "text/html" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };
  const { over } = now.told;
  return h("section", {}, h("h3", {}, "Replay"),
    h("p", {}, h("a", { id: "watch", href: replayed(now.name, now.eyes), target: "_blank", rel: "noopener" }, over ? "Watch the whole game" : "Watch the game so far"),
      over ? " for all eyes, and play on from any step." : ", as you have seen it."),
    over ? [h("p", {}, "The whole game as one file that any browser opens:"), h("button", { type: "button", id: "replay", onclick: save }, "Save the replay")] : null);
}

function colours() {
  const choice = h("select", { onchange: (event) => { document.documentElement.dataset.theme = event.target.value; } },
    [["", "as the system has it"], ["light", "light"], ["dark", "dark"]].map(([value, word]) => h("option", { value, selected: value === (document.documentElement.dataset.theme ?? "") }, word)));
  return h("section", {}, h("h3", {}, "Colours"), h("label", {}, "Light or dark ", choice));
}

function keyboard() {
  const keys = [["Tab, arrows", "to the next thing that may be done"], ["1 … 9", "to an option"], ["Enter", "take it"], ["U", "take back"], ["H", "hint"], ["M", "this menu"]];
  return h("section", {}, h("h3", {}, "Keyboard"), keys.map(([name, words]) => h("p", { class: "side-by-side" }, h("kbd", {}, name), words)));
}
