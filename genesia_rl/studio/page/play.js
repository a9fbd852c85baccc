// The page of a game that is being played: follows it as the one who plays may see it, and takes decisions.
//
// Who plays for one seat sees with its eyes all the time. Who plays for several sees what lies open until the seat
// that is asked lifts the curtain.

import { drawScene, h, hideTip, seatSign } from "./board.js";
import { address, follow, get, key, named, post } from "./server.js";
import { openMenu } from "./menu.js";

const BYSTANDER = -2;
const $ = (id) => document.getElementById(id);
const table = $("table");

/** What the page knows: the game, the seats that it plays, whose eyes it sees with, and what it was told last. */
const now = { name: named(), mine: [], host: false, keys: {}, eyes: BYSTANDER, stream: null, told: null, log: [], marked: [], hinted: null, busy: false, keyboard: false, excuse: 0 };
window.studio = now; // for tests and for the curious: nothing here that this browser may not know

// ------------------------------------------------------------------ beginning

async function begin() {
  if (!key) return say("This address has no key: open the one that the program has printed.");
  if (!now.name) return menu();
  try {
    Object.assign(now, { mine: [], ...await known() });
  } catch (error) {
    return say(error.message);
  }
  look(now.mine.length === 1 ? now.mine[0] : BYSTANDER);
}

async function known() {
  for (;;) {
    try {
      const { seats, keys, host, waiting } = await get(`/api/live/${now.name}`);
      if (!waiting) return { mine: seats, keys, host };
      say(`One moment: ${waiting} …`);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      say("No connection to the server; trying again.");
    }
    await new Promise((done) => setTimeout(done, 500));
  }
}

/** See the game with these eyes. */
function look(eyes) {
  now.stream?.stop();
  Object.assign(now, { eyes, told: null, log: [], marked: [], hinted: null });
  now.stream = follow(now.name, eyes, { told, lost: () => say("No connection to the server; trying again. Nothing is lost.") });
}

const menu = () => openMenu({ now, say, play: (name) => { if (name === now.name) location.reload(); else location.href = address(name); } });

// ------------------------------------------------------------------ news

function told(news) {
  if (news.error) return say(news.error);
  if (news.waiting) return say(`One moment: ${news.waiting} …`);
  if (news.step === undefined) return; // a sign of life
  say(news.trouble ?? "");
  const before = now.told;
  now.log = [...now.log.slice(0, news.log_from), ...news.log.map((text, place) => ({ text, seat: news.by[place] }))];
  now.marked = before && news.step > before.step ? moved(before.scene, news.scene) : before?.step === news.step ? now.marked : [];
  if (before?.step !== news.step) now.hinted = null;
  now.told = news;
  now.busy = false;
  if (!curtain()) draw();
}

/** What is elsewhere, new or different on the board since the last scene. */
function moved(before, after) {
  const known = new Map((before.pieces ?? []).map((piece) => [piece.key, JSON.stringify(piece)]));
  const keys = (after.pieces ?? []).filter((piece) => known.get(piece.key) !== JSON.stringify(piece)).map((piece) => piece.key);
  return keys.length <= 12 ? keys : [];
}

/** Several people at one browser: the one who is asked lifts the curtain, then sees with own eyes. */
function curtain() {
  const { told: news, mine } = now;
  document.querySelector("dialog.curtain")?.remove();
  if (mine.length < 2 || news.over) return false;
  if (!mine.includes(news.seat) || news.seat === now.eyes) return false;
  if (new Set(mine.map((seat) => news.names[seat])).size === 1) { look(news.seat); return true; } // one who leads several seats
  if (now.eyes !== BYSTANDER) { look(BYSTANDER); return true; } // whoever looked so far sees no more
  draw();
  const lift = () => { dialog.close(); dialog.remove(); look(news.seat); };
  const dialog = h("dialog", { class: "curtain", "aria-label": "Whose turn it is", oncancel: (event) => event.preventDefault() },
    seatSign(news.seat, news.scene), h("h2", {}, `${news.names[news.seat]}, it is your turn`), h("p", {}, "Nobody else should look."),
    h("button", { type: "button", class: "main", id: "lift", onclick: lift }, "Show me my side"));
  document.body.append(dialog);
  dialog.showModal();
  return true;
}

// ------------------------------------------------------------------ drawing

function draw() {
  const { told: news } = now;
  const scene = withNames(news.scene, news.names);
  const mine = isMine();
  const hint = scene.decision?.options?.find((option) => option.action === now.hinted);
  table.classList.toggle("mine", mine);
  table.classList.toggle("tall", scene.size[0] < 1.6 * scene.size[1]);
  table.classList.toggle("boardless", !(scene.areas ?? []).length);
  const typed = now.keyboard && document.activeElement?.closest?.(".part");
  drawScene(table, scene, { onChoose: mine ? choose : null, marked: hint?.keys?.length ? hint.keys : now.marked });
  for (const old of table.querySelectorAll(".hinted")) old.classList.remove("hinted");
  if (hint) table.querySelector(`.part-decision [data-action="${hint.action}"]`)?.classList.add("hinted");
  document.title = $("title").textContent = scene.title;
  $("turn").textContent = turnWords(news, mine);
  $("turn").classList.toggle("mine", mine);
  clearTimeout(now.excuse);
  if (!mine && !news.over) now.excuse = setTimeout(() => { $("turn").textContent = turnWords(now.told, false, true); }, 6000);
  $("undo").disabled = !news.undo;
  $("hint").disabled = !mine;
  if (document.activeElement !== $("pace")) $("pace").value = nearestPace(news.pace);
  drawLog();
  if (typed && mine && document.activeElement === document.body) options()[0]?.focus();
}

const isMine = () => now.eyes >= 0 && now.told.seat === now.eyes && !now.told.over;

/** The scene with the names of those who play; a name that the game gives a seat stands below, unless it says nothing. */
function withNames(scene, names) {
  const calling = caller(scene, names), made = calling(scene);
  made.seats = made.seats.map((seat) => ({ ...seat, name: names[seat.seat],
    words: [seat.name === names[seat.seat] ? "" : seat.name, seat.words].filter(Boolean).join(" · ") }));
  return made;
}

/** Calls seats that are only numbered by the names of those who play, in every text of what it is given. */
function caller(scene, names) {
  const plain = new Map(scene.seats.filter(({ name }) => /^(Seat|Player) \w+$/.test(name)).map(({ name, seat }) => [name, names[seat]]));
  if (!plain.size) return (thing) => structuredClone(thing);
  const words = new RegExp(`\\b(${[...plain.keys()].join("|")})\\b`, "g");
  return (thing) => JSON.parse(JSON.stringify(thing).replace(words, (word) => JSON.stringify(plain.get(word)).slice(1, -1)));
}

/** Whose turn it is; an agent that thinks for long is excused. */
function turnWords(news, mine, long = false) {
  if (news.over) return "The game is over. The menu has its replay.";
  if (mine) return "It is your turn.";
  if (news.who[news.seat] === "person") return `${news.names[news.seat]} decides …`;
  return `${news.names[news.seat]} is thinking …${long ? " The first time it takes long, as its code is compiled." : ""}`;
}

function nearestPace(seconds) {
  const values = [...$("pace").options].map((option) => option.value);
  return values.reduce((best, value) => Math.abs(value - seconds) < Math.abs(best - seconds) ? value : best);
}

/** What happened, the latest first. */
function drawLog() {
  const lines = caller(now.told.scene, now.told.names)(now.log);
  $("log").replaceChildren(...lines.reverse().map(({ text, seat }, place) => h("p", { class: `of-seat${seat}${place ? "" : " new"}` }, text)));
}

// ------------------------------------------------------------------ deciding

async function asked(verb, body) {
  if (now.busy) return null;
  now.busy = true;
  try {
    return await post(`/api/live/${now.name}/${verb}`, { seat: now.eyes, step: now.told.step, ...body });
  } catch (error) {
    say(error instanceof TypeError ? "No connection to the server; nothing was done." : error.message);
    return null;
  } finally {
    now.busy = false;
  }
}

function choose(action) {
  hideTip();
  if (isMine()) asked("act", { action });
}

const undo = () => now.told?.undo && asked("undo", {});

async function hint() {
  if (!now.told || !isMine()) return;
  const { step } = now.told;
  $("hint").disabled = true;
  say("Thinking …");
  const found = await asked("hint", {});
  if (found && now.told.step === step) { say(""); now.hinted = found.action; draw(); }
  else $("hint").disabled = !isMine();
}

// ------------------------------------------------------------------ words, keys

function say(text) {
  $("word").textContent = text;
  $("word").hidden = !text;
}

const options = () => [...table.querySelectorAll(".part-decision button[data-action]:not(:disabled)")];

/** Keys: letters for what the bar offers, arrows and digits for the options, Enter takes one. */
function pressed(event) {
  now.keyboard = true;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const list = options(), place = list.indexOf(document.activeElement);
  const go = { ArrowDown: place + 1, ArrowRight: place + 1, ArrowUp: place - 1, ArrowLeft: place - 1 }[event.key];
  if (/^[1-9]$/.test(event.key)) list[Number(event.key) - 1]?.focus();
  else if (go !== undefined && list.length && (place >= 0 || document.activeElement === document.body)) list.at(go % list.length).focus();
  else if (event.key === "u") undo();
  else if (event.key === "h") hint();
  else if (event.key === "m") menu();
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", pressed);
document.addEventListener("pointerdown", () => { now.keyboard = false; });
$("undo").addEventListener("click", undo);
$("hint").addEventListener("click", hint);
$("more").addEventListener("click", menu);
$("pace").addEventListener("change", (event) => asked("pace", { seconds: Number(event.target.value) }));
addEventListener("hashchange", () => location.reload());
begin();
