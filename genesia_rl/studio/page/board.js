// Draws a scene (core/scene.py, as JSON) into an element, and tells which of its options was chosen.
//
//   drawScene(element, scene, { onChoose, marked, heat, parts })
//
// onChoose(action)  is called when an option is taken by mouse, touch or keyboard; without it nothing can be chosen.
// marked            keys to point out: what has just moved, a hint.
// heat              { key: share } to tint things by, 0..1.
// parts             which of PARTS to draw, in this order; all by default.
//
// Drawing again into the same element keeps what is the same, so that pieces glide to where they go.

export const PARTS = ["head", "seats", "board", "decision", "beside", "zones", "tables"];

// Outlines in a box of 24 x 24. Written as JSON: Python draws with the same ones (studio/svg.py).
export const FORMS = {
  "disc": "M12 1.5a10.5 10.5 0 1 0 0 21a10.5 10.5 0 1 0 0-21z",
  "square": "M4 2.5h16a1.5 1.5 0 0 1 1.5 1.5v16a1.5 1.5 0 0 1-1.5 1.5h-16a1.5 1.5 0 0 1-1.5-1.5v-16a1.5 1.5 0 0 1 1.5-1.5z",
  "triangle": "M12 0.5a1.5 1.5 0 0 1 1.3 0.8l10 18.8a1.5 1.5 0 0 1-1.3 2.4h-20a1.5 1.5 0 0 1-1.3-2.4l10-18.8a1.5 1.5 0 0 1 1.3-0.8z",
  "diamond": "M12 0a1.5 1.5 0 0 1 1.1 0.5l10.4 10.4a1.5 1.5 0 0 1 0 2.2l-10.4 10.4a1.5 1.5 0 0 1-2.2 0l-10.4-10.4a1.5 1.5 0 0 1 0-2.2l10.4-10.4a1.5 1.5 0 0 1 1.1-0.5z",
  "hexagon": "M7 2.2h10a1.5 1.5 0 0 1 1.3 0.8l4.6 8.2a1.5 1.5 0 0 1 0 1.6l-4.6 8.2a1.5 1.5 0 0 1-1.3 0.8h-10a1.5 1.5 0 0 1-1.3-0.8l-4.6-8.2a1.5 1.5 0 0 1 0-1.6l4.6-8.2a1.5 1.5 0 0 1 1.3-0.8z",
  "star": "M12 0.5l3.4 7.6l8.1 0.8l-6.1 5.4l1.8 8.2l-7.2-4.3l-7.2 4.3l1.8-8.2l-6.1-5.4l8.1-0.8z",
  "house": "M12 1l10.5 9h-2.5v12.5h-16v-12.5h-2.5z",
  "ring": "M12 1.5a10.5 10.5 0 1 0 0 21a10.5 10.5 0 1 0 0-21zM12 6a6 6 0 1 1 0 12a6 6 0 1 1 0-12z",
  "text": ""
};
export const SEAT_FORMS = ["disc", "square", "triangle", "diamond", "hexagon"];
const LETTERS = "ABCDEFGH";
// Where a letter stands in a form that is not round about the middle.
const MIDDLE = { "triangle": 15.6, "house": 14.8 };

const SVG = "http://www.w3.org/2000/svg";

/** An element: name, attributes (on... are listeners), children. */
export function h(name, attributes = {}, ...children) {
  const svg = /^(svg|g|path|circle|rect|polygon|polyline|text|tspan|title)$/.test(name);
  const made = svg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

export const seatForm = (seat) => SEAT_FORMS[seat % SEAT_FORMS.length];
export const seatLetter = (seat) => LETTERS[seat];
const isSeat = (seat) => seat !== undefined && seat >= 0;

/** The sign of a seat, as it stands on the board and in every list: a form with a letter, or the game's own. */
export function seatSign(seat, scene) {
  const own = scene?.seats?.[seat]?.form, form = own || seatForm(seat);
  const path = (own && Object.fromEntries(scene.symbols ?? [])[own]) || FORMS[form];
  return h("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("path", { d: path, class: `seat${seat}`, "fill-rule": "evenodd" }),
    own ? null : h("text", { x: 12, y: MIDDLE[form] ?? 12, class: "letter" }, seatLetter(seat)));
}

// ------------------------------------------------------------------ choosing

/** key -> the options that point at it */
function byKey(scene) {
  const found = new Map();
  for (const option of scene.decision?.options ?? []) {
    for (const key of option.keys ?? []) found.set(key, [...(found.get(key) ?? []), option]);
  }
  return found;
}

/** What makes a thing one that can be chosen, pointed at and read. */
function handles(draw, key, name, words) {
  const options = draw.onChoose ? draw.options.get(key) ?? [] : [];
  const marks = [draw.marked.has(key) ? "marked" : "", options.length ? "open" : ""].filter(Boolean).join(" ");
  const said = [...new Set([name, words, ...options.map((option) => option.word)].filter(Boolean))];
  const tell = { onpointerenter: (event) => event.pointerType === "mouse" && showTip(event.currentTarget, name, words),
    onpointerleave: hideTip };
  const read = { onblur: hideTip, onfocus: (event) => showTip(event.currentTarget, name, words) }; // Chromium tabs to whatever listens to these
  if (!options.length) {
    return { marks, attributes: { "data-key": key, ...(words || name ? { ...tell,
      onclick: (event) => showTip(event.currentTarget, name, words) } : {}) } };
  }
  const take = (event) => {
    event.stopPropagation();
    const { host } = draw, from = host.picked, near = event.currentTarget;
    const way = from && from !== key && options.find((option) => option.keys[0] === from && option.keys.length > 1);
    drop(host);
    if (way) choose(host, way); else if (from === key) near.blur();
    else if (options.length === 1 && !options[0].ask) choose(host, options[0]);
    else ask(host, near, key, options);
  };
  return { marks, attributes: { "data-key": key, tabindex: 0, role: "button", "aria-label": said.join(". "), ...tell, ...read, onclick: take,
    onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); take(event); } } } };
}

function choose(host, option) {
  drop(host);
  hideTip();
  host.onChoose?.(option.action);
}

/** A thing that stands for several options asks which one. If ways lead from it, it is picked up: where they go can
    be clicked on the board as well. */
function ask(host, near, key, options) {
  hideTip();
  const ways = options.filter((option) => option.keys.length > 1 && option.keys[0] === key);
  const listed = ways.length ? [...options.filter((option) => option.keys.length === 1), ...ways] : options;
  const light = (option) => ({ onpointerenter: () => glow(host, option.keys, true), onpointerleave: () => glow(host, option.keys, false) });
  const leave = () => { drop(host); near.focus?.(); };
  const dialog = h("dialog", { class: "which", role: "dialog", "aria-label": "Which one?", onclose: leave,
    onkeydown: (event) => { if (event.key === "Escape") { event.stopPropagation(); event.preventDefault(); leave(); } },
    onclick: (event) => { if (event.target === dialog) leave(); } },
    ways.length ? h("p", {}, "Choose here, or on the board where to go.") : null,
    listed.map((option) => h("button", { type: "button", ...(ways.length ? {} : light(option)), onclick: () => choose(host, option) },
      option.word, option.meaning && !ways.length ? h("small", {}, option.meaning) : null)));
  document.body.append(dialog);
  if (ways.length) {
    Object.assign(host, { picked: key, dialog });
    host.querySelector(`[data-key="${CSS.escape(key)}"]`)?.classList.add("picked");
    glow(host, ways.flatMap((option) => option.keys.slice(1)), true);
    dialog.show();
    aside(dialog, near, host.querySelector(".part-board").getBoundingClientRect());
  } else {
    host.dialog = dialog;
    dialog.showModal();
    place(dialog, near);
  }
}

/** In the corner of the board that is farthest from a thing, or at the foot of a phone: what is round it stays free. */
function aside(box, near, board) {
  const at = near.getBoundingClientRect(), { width, height } = box.getBoundingClientRect();
  const isLeft = at.left + at.width / 2 < board.left + board.width / 2, isHigh = at.top + at.height / 2 < board.top + board.height / 2;
  const left = isLeft ? board.right - width - 8 : board.left + 8;
  const top = innerWidth < 700 ? innerHeight : isHigh ? board.bottom - height - 8 : board.top + 8;
  const within = (value, most) => `${Math.max(8, Math.min(value, most - 8))}px`;
  Object.assign(box.style, { left: within(left, innerWidth - width), top: within(top, innerHeight - height) });
}

/** What was picked up is put down again, and nothing is asked any more. */
function drop(host) {
  host.dialog?.remove();
  for (const thing of host.querySelectorAll(".picked, .glow")) thing.classList.remove("picked", "glow");
  host.picked = host.dialog = null;
}

function place(box, near) {
  const at = near.getBoundingClientRect(), { width, height } = box.getBoundingClientRect();
  const left = Math.min(Math.max(8, at.left + at.width / 2 - width / 2), innerWidth - width - 8);
  const under = at.bottom + 8 + height < innerHeight;
  const top = under ? at.bottom + 8 : Math.max(8, at.top - height - 8);
  Object.assign(box.style, { left: `${left}px`, top: `${top}px` });
}

let tip = null;
function showTip(near, name, words) {
  hideTip();
  if (!name && !words) return;
  tip = h("div", { class: "tip", role: "tooltip" }, name ? h("b", {}, name) : null,
    String(words ?? "").split("\n").filter(Boolean).map((line) => h("p", {}, line)));
  document.body.append(tip);
  place(tip, near);
}
export function hideTip() { tip?.remove(); tip = null; }

// ------------------------------------------------------------------ the board

function outline(shape) {
  const n = shape.numbers ?? [];
  const points = () => n.reduce((text, x, place) => text + (place % 2 ? `,${x}` : ` ${x}`), "").trim();
  if (shape.form === "circle") return h("circle", { cx: n[0], cy: n[1], r: n[2] });
  if (shape.form === "rect") return h("rect", { x: n[0], y: n[1], width: n[2], height: n[3], rx: n[4] ?? 0 });
  if (shape.form === "polygon") return h("polygon", { points: points() });
  if (shape.form === "line") return h("polyline", { points: points() });
  return h("path", { d: shape.path });
}

/** The middle of a shape, where its label stands unless it says otherwise. */
function middle(shape) {
  const n = shape.numbers ?? [];
  if (shape.form === "circle") return [n[0], n[1]];
  if (shape.form === "rect") return [n[0] + n[2] / 2, n[1] + n[3] / 2];
  const xs = n.filter((_, place) => place % 2 === 0), ys = n.filter((_, place) => place % 2);
  const mean = (list) => list.reduce((a, b) => a + b, 0) / Math.max(1, list.length);
  return [mean(xs), mean(ys)];
}

function drawArea(draw, area) {
  const { marks, attributes } = area.passive ? { marks: "", attributes: {} } : handles(draw, area.key, area.title, area.words);
  const drawn = outline(area.shape);
  drawn.setAttribute("class", `shape ${area.tone ?? "plain"} edge-${area.edge ?? "thin"}${isSeat(area.seat) ? ` of-seat${area.seat}` : ""}`);
  if (area.shape.form === "line") drawn.setAttribute("style", `stroke-width:${6 * (area.size ?? 1)}px`);
  const warm = draw.heat[area.key];
  const heat = warm === undefined ? null : outline(area.shape);
  if (heat) { heat.setAttribute("class", "heat"); heat.setAttribute("style", `opacity:${0.15 + 0.7 * warm}`); }
  const [x, y] = area.at ?? middle(area.shape);
  const label = area.label ? h("text", { x, y, class: "label", style: `font-size:${12 * (area.size ?? 1)}px`,
    transform: area.turn ? `rotate(${area.turn} ${x} ${y})` : null }, area.label) : null;
  const veil = marks.includes("open") ? outline(area.shape) : null;
  veil?.setAttribute("class", "veil");
  return h("g", { class: `area ${marks}`, ...attributes }, drawn, veil, heat, area.edge === "arrow" ? head(area) : null, label);
}

/** The point of an arrow, at the end of a line. */
function head(area) {
  const [ax, ay, bx, by] = area.shape.numbers.slice(-4), far = Math.hypot(bx - ax, by - ay) || 1, wide = 9 * (area.size ?? 1);
  const [x, y] = [(bx - ax) / far * wide, (by - ay) / far * wide];
  return h("polygon", { class: `shape ${area.tone ?? "plain"} edge-none`,
    points: `${bx + x},${by + y} ${bx - y},${by + x} ${bx + y},${by - x}` });
}

/** Who clicks a piece that stands for nothing means the area on which it stands. */
function pieceHandles(draw, piece) {
  const own = handles(draw, piece.key, piece.title, piece.words);
  const area = piece.area && !draw.options.has(piece.key) ? draw.things.get(piece.area) : null;
  if (!area) return own;
  const { onclick, onpointerenter, onpointerleave } = handles(draw, area.key, piece.title ?? area.title, piece.words ?? area.words).attributes;
  const below = draw.onChoose && draw.options.has(area.key) ? " above-open" : "";
  return { marks: own.marks + below, attributes: { "data-key": piece.key, onclick, onpointerenter, onpointerleave } };
}

function drawPiece(draw, piece, symbols) {
  const { marks, attributes } = pieceHandles(draw, piece);
  const form = piece.form || (isSeat(piece.seat) ? seatForm(piece.seat) : "disc");
  const colour = isSeat(piece.seat) ? `seat${piece.seat}` : `tone ${piece.tone ?? "plain"}`;
  const count = piece.count ?? 1, letter = piece.letter || (count > 1 ? String(count) : "");
  const parts = [];
  if (form !== "text") parts.push(h("path", { class: `form ${colour}`, d: symbols[form] ?? FORMS[form], "fill-rule": "evenodd" }));
  if (draw.heat[piece.key] !== undefined) parts.push(h("circle", { class: "heat", cx: 12, cy: 12, r: 14, style: `opacity:${0.15 + 0.7 * draw.heat[piece.key]}` }));
  if (letter) parts.push(h("text", { class: `letter ${form === "text" ? "bare" : colour}`, x: 12, y: MIDDLE[form] ?? 12 }, letter));
  if (piece.letter && count > 1) {
    parts.push(h("circle", { class: "badge", cx: 21, cy: 21, r: 7 }), h("text", { class: "letter badge-text", x: 21, y: 21 }, String(count)));
  }
  return h("g", { class: `piece ${marks}`, ...attributes }, h("g", { transform: `scale(${piece.size ?? 1}) translate(-12 -12)` }, parts));
}

/** Things by key, each drawn anew only when it looks different; the order is that of the list. */
function keep(host, things, look, make, settle) {
  const known = host.things ?? new Map(), now = new Map();
  let last = null;
  for (const thing of things) {
    const seen = look(thing), before = known.get(thing.key);
    let element = before?.element;
    if (!before || before.seen !== seen) {
      const made = make(thing);
      if (settle) (element ??= h("g")).replaceChildren(made); // what holds it stays, so that it moves smoothly
      else { element?.replaceWith(made); element = made; }
    }
    now.set(thing.key, { element, seen });
    const next = last ? last.nextSibling : host.firstChild;
    if (element !== next) host.insertBefore(element, next);
    last = element;
    settle?.(element, thing);
  }
  for (const [key, { element }] of known) if (!now.has(key)) element.remove();
  host.things = now;
}

function drawBoard(host, scene, draw) {
  let svg = host.querySelector(":scope > svg");
  if (!svg) {
    svg = h("svg", { role: "group", "aria-label": "board" }, h("g", { class: "areas" }), h("g", { class: "pieces" }));
    host.replaceChildren(svg);
  }
  host.hidden = !(scene.areas ?? []).length;
  host.classList.toggle("wide", scene.size[0] > 1.7 * scene.size[1]);
  for (const [name, value] of Object.entries({ tabindex: 0, role: "group", "aria-label": "board" })) {
    if (host.classList.contains("wide") && !draw.onChoose) host.setAttribute(name, value); else host.removeAttribute(name);
  }
  svg.setAttribute("viewBox", `0 0 ${scene.size[0]} ${scene.size[1]}`);
  const symbols = Object.fromEntries(scene.symbols ?? []);
  const state = (key) => [draw.marked.has(key), draw.heat[key], draw.onChoose ? draw.options.get(key) : null];
  const [areas, pieces] = svg.children;
  const focused = document.activeElement?.closest?.("[data-key]")?.getAttribute("data-key");
  keep(areas, scene.areas ?? [], (area) => JSON.stringify([area, state(area.key)]), (area) => drawArea(draw, area));
  keep(pieces, scene.pieces ?? [], ({ at, ...piece }) => JSON.stringify([piece, state(piece.key), state(piece.area), draw.things.get(piece.area)?.words]),
    (piece) => drawPiece(draw, piece, symbols),
    (element, piece) => { element.style.transform = `translate(${piece.at[0]}px, ${piece.at[1]}px)`; });
  if (focused && document.activeElement === document.body) svg.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

// ------------------------------------------------------------------ cards, tables, seats, the decision

function cardWords(card) {
  return [...(card.figures ?? []).map(([name, value]) => `${name}: ${value}`), ...(card.lines ?? []), card.note].filter(Boolean).join("\n");
}

function drawCard(draw, card, small) {
  const shown = card.state !== "hidden";
  const { marks, attributes } = handles(draw, card.key, card.title, small ? cardWords(card) : "");
  const warm = draw.heat[card.key];
  return h(attributes.role ? "div" : "article", { class: `card ${card.tone ?? "plain"} ${marks} ${card.state ?? ""}${isSeat(card.seat) ? ` of-seat${card.seat}` : ""}`, ...attributes,
    style: warm === undefined ? null : `--heat:${Math.round(100 * warm)}%` },
    h("header", {}, card.kind ? h("span", { class: "kind" }, card.kind) : null,
      (card.figures ?? []).map(([name, value]) => h("span", { class: "figure", title: name }, h("i", {}, name), " ", value))),
    h("h4", {}, isSeat(card.seat) ? seatSign(card.seat, draw.scene) : null, card.title || (shown ? "" : "face down"), card.count > 1 ? h("span", { class: "times" }, ` × ${card.count}`) : null),
    small || !shown ? null : (card.lines ?? []).map((line) => h("p", {}, line)),
    card.note && !small ? h("p", { class: "note" }, card.note) : null);
}

function drawZone(draw, zone) {
  const { marks, attributes } = handles(draw, zone.key, "", "");
  const small = (zone.layout ?? "row") !== "row";
  return h("section", { class: `zone ${zone.layout ?? "row"} ${marks}`, ...attributes },
    h("h3", {}, isSeat(zone.seat) ? seatSign(zone.seat, draw.scene) : null, zone.title, zone.words ? h("small", {}, ` ${zone.words}`) : null),
    h("div", { class: "cards" }, (zone.cards ?? []).map((card) => drawCard(draw, card, small))));
}

/** What may be wider than a phone is a stop of the keyboard, unless there are things to choose, which are. */
const scrolled = (draw) => draw.onChoose ? {} : { tabindex: 0, role: "group" };

function drawTable(scene, table, draw) {
  const name = (row) => isSeat(row.seat) ? [seatSign(row.seat, scene), " ", row.label ?? scene.seats[row.seat].name] : row.label ?? "";
  const number = (text) => /^[-+−]?\d+([.,]\d+)?$/.test(text) ? "number" : null;
  return h("section", { class: "table", tabindex: 0, "aria-label": table.title }, h("table", {},
    h("caption", {}, table.title, table.words ? h("small", {}, ` ${table.words}`) : null),
    h("thead", {}, h("tr", {}, h("td"), table.columns.map((column) => h("th", { scope: "col" }, column)))),
    h("tbody", {}, table.rows.map((row) => h("tr", {}, h("th", { scope: "row" }, name(row)),
      row.figures.map((figure) => h("td", { class: number(figure) }, figure)))))));
}

function drawSeats(scene) {
  const acting = scene.decision?.seat;
  return h("ol", {}, scene.seats.map((seat) => h("li", { class: `of-seat${seat.seat}${seat.seat === acting ? " acting" : ""}`,
    "aria-current": seat.seat === acting ? "true" : null },
    seatSign(seat.seat, scene), h("span", { class: "name" }, seat.name),
    seat.team === undefined ? null : h("span", { class: "team" }, `team ${seat.team + 1}`),
    h("b", { class: "score" }, String(seat.score ?? 0)),
    seat.words ? h("small", {}, seat.words) : null)));
}

function drawHead(scene) {
  return [h("p", { class: "chapters" }, (scene.chapters ?? []).map((chapter) => h("span", {}, chapter))),
    scene.status ? h("p", { class: "status" }, scene.status) : null];
}

function drawDecision(scene, draw) {
  const asked = scene.decision;
  if (!asked) return scene.over ? [h("p", { class: "question" }, scene.outcome ?? "The game is over.")] : [];
  const groups = new Map();
  for (const option of asked.options ?? []) groups.set(option.group ?? "", [...(groups.get(option.group ?? "") ?? []), option]);
  const button = (option) => h("button", { type: "button", "data-action": option.action, title: option.meaning ?? null, disabled: !draw.onChoose,
    class: (option.keys ?? []).some((key) => draw.marked.has(key)) ? "marked" : null,
    onclick: () => choose(draw.host, option),
    onpointerenter: () => glow(draw.host, option.keys, true), onpointerleave: () => glow(draw.host, option.keys, false),
    onfocus: () => glow(draw.host, option.keys, true), onblur: () => glow(draw.host, option.keys, false) }, option.word);
  return [h("p", { class: "question" }, seatSign(asked.seat, scene), " ", asked.question),
    [...groups].map(([group, options]) => h("div", { class: "options", role: "group", "aria-label": group || "options" },
      group ? h("p", { class: "group", "aria-hidden": "true" }, group) : null, options.map(button)))];
}

/** A button lights up what it stands for. */
function glow(host, keys = [], on) {
  for (const key of keys) for (const thing of host.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)) thing.classList.toggle("glow", on);
}

// ------------------------------------------------------------------ all of it

const zonesOf = (scene, part) => (scene.zones ?? []).filter((zone) => Boolean(zone.beside) === (part === "beside"));

const DRAWERS = {
  head: drawHead,
  seats: (scene) => [drawSeats(scene)],
  decision: drawDecision,
  beside: (scene, draw) => zonesOf(scene, "beside").map((zone) => drawZone(draw, zone)),
  zones: (scene, draw) => zonesOf(scene, "zones").map((zone) => drawZone(draw, zone)),
  tables: (scene, draw) => (scene.tables ?? []).map((table) => drawTable(scene, table, draw)),
};

export function drawScene(element, scene, { onChoose = null, marked = [], heat = {}, parts = PARTS } = {}) {
  hideTip();
  drop(element);
  element.onChoose = onChoose;
  if (!element.listens) {
    element.listens = true;
    document.addEventListener("pointerdown", (event) => {
      if (element.picked && !event.target.closest?.(".open, .above-open, dialog.which")) drop(element);
    });
  }
  const draw = { host: element, scene, onChoose, things: new Map((scene.areas ?? []).map((area) => [area.key, area])), heat, marked: new Set(marked), options: byKey(scene) };
  element.classList.add("scene");
  for (const part of parts) {
    let host = element.querySelector(`:scope > .part-${part}`);
    if (!host) element.append(host = h("div", { class: `part part-${part}` }));
    if (part === "board") { drawBoard(host, scene, draw); continue; }
    const seen = JSON.stringify([part === "head" ? [scene.chapters, scene.status] : part === "seats" ? [scene.seats, scene.decision?.seat]
      : [part === "beside" || part === "zones" ? zonesOf(scene, part) : scene[part], scene.seats, scene.over, scene.decision, [...draw.marked], heat, Boolean(onChoose)]]);
    if (host.seen === seen) { host.draw = draw; continue; }
    host.replaceChildren(...DRAWERS[part](scene, draw).flat(3).filter(Boolean));
    host.seen = seen;
  }
}
