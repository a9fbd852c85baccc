// The layer of a review over a replay (review/layer.py): what an agent thinks of each decision, the chances as curves,
// the game in sums. Chances come in parts of a thousand, points in tenths. Whoever wants to try first is shown nothing
// that would tell: not the verdict, not what was chosen, not how the game went on.

import { h, seatSign } from "./board.js";

export const EVERYTHING = -1, BYSTANDER = -2; // eyes that are no seat's
const LISTED = 8;
const WIDTH = 340, HEIGHT = 120;

const signed = (value, digits = 1) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(digits)}`;
const plain = (value, digits = 1) => signed(value, digits).replace("+", "");
const between = ([, low, high], scale, digits, write = plain) => `${write(low / scale, digits)} to ${write(high / scale, digits)}`;

/** What a page needs of a review: `seats` are those of the first picture. */
export function reviewed(layer, seats, chapters) {
  const tried = new Map();
  const unit = layer.contest ? { scale: 10, digits: 0, name: "%" } : { scale: 10, digits: 1, name: "points" };
  const chance = (value) => `${plain(value / unit.scale, unit.digits)} ${unit.name}`;
  const options = (step) => layer.steps[step].o.map((place) => layer.options[place]);
  const mayRead = (step, eyes) => layer.steps[step] && (eyes === EVERYTHING || eyes === layer.steps[step].seat);

  /** Is something to be kept secret at this step? */
  const isOpen = (step, mode, eyes) => mode === "shown" || (mode === "try" && (tried.has(step) || !mayRead(step, eyes)));

  /** How warm each thing is: the shares of the options that stand for it, of the warmest one. */
  function heat(step) {
    const { p } = layer.steps[step], found = {};
    options(step).forEach((option, place) => { for (const key of option.keys ?? []) found[key] = (found[key] ?? 0) + p[place]; });
    const most = Math.max(1, ...Object.values(found));
    return Object.fromEntries(Object.entries(found).filter(([, share]) => share >= 1).map(([key, share]) => [key, 0.6 * share / most])); // what lies below stays visible
  }

  /** What to draw at a step: nothing, a question, or the verdict. */
  function at(step, eyes, mode) {
    if (mode === "off" || !mayRead(step, eyes)) return null;
    if (isOpen(step, mode, eyes)) {
      const found = layer.steps[step];
      return { marked: options(step)[found.b].keys ?? [], heat: heat(step), verdict: true };
    }
    const listed = options(step).slice().sort((a, b) => a.action - b.action);
    return { options: listed, verdict: false };
  }

  function verdict(step) {
    const found = layer.steps[step], all = options(step), mine = tried.get(step);
    const same = found.t === found.b;
    const head = found.m ? h("h3", { class: "bad" }, `A mistake: ${losses(found)} lost`)
      : h("h3", {}, same ? "What was done is what looks best" : "No mistake can be told");
    const words = same ? null : h("p", { class: "faint" }, "lost ",
      layer.contest ? `${plain(found.c[0] / 10, 0)} % of the victory (${between(found.c, 10, 0)}), ` : "", `${plain(found.l[0] / 10)} points (${between(found.l, 10, 1)})`);
    return [head,
      mine === undefined ? null : h("p", {}, "You: ", h("b", {}, all[mine].word), mine === found.b ? " – that is it." : tryWords(found, mine)),
      h("p", {}, "Taken: ", h("b", {}, all[found.t].word)),
      same ? null : h("p", {}, found.m ? "Better: " : "The other choice: ", h("b", { class: found.m ? "better" : null }, all[found.b].word)), words,
      choices(found, all), moved(found)];
  }

  /** What was lost, the victory first. */
  const losses = ({ l, c }) => `${layer.contest ? `${plain(c[0] / 10, 0)} % of the victory, ` : ""}${plain(l[0] / 10)} points`;

  function tryWords(found, mine) {
    if (mine === found.t) return " – as it was done.";
    return found.w[mine] === undefined ? ` – ${layer.agent} would not consider it.` : ` – about ${signed(found.w[mine] / 10)} points against the better choice.`;
  }

  /** The choices that the agent prefers, with its share for each and what they are worth against the better one. */
  function choices(found, all) {
    const places = [...new Set([...all.keys()].filter((place) => place < LISTED).concat(found.t, found.b))]
      .sort((a, b) => found.p[b] - found.p[a]);
    const row = (place) => h("tr", { class: place === found.b ? "better" : place === found.t ? "taken" : null },
      h("td", {}, h("span", { class: "share", style: `--share:${found.p[place]}%` }, `${found.p[place]} %`)),
      h("th", { scope: "row" }, all[place].word),
      h("td", { class: "number" }, found.w[place] === undefined ? "" : place === found.b ? "best" : signed(found.w[place] / 10)));
    const rest = all.length - places.length;
    return h("table", {}, h("caption", {}, `What ${layer.agent} would do, and a first look at the points`),
      h("tbody", {}, places.map(row)), rest > 0 ? h("tfoot", {}, h("tr", {}, h("td"), h("td", { colspan: 2 }, `and ${rest} more`))) : null);
  }

  /** What came to light after the decision. */
  function moved(found) {
    if (!found.r) return null;
    const sure = found.r.map(([value, low, high], seat) => ({ value, low, high, seat })).filter(({ low, high }) => low > 0 || high < 0);
    const tell = ({ value, low, high, seat }) => [seatSign(seat, { seats }), ` ${signed(value / unit.scale, unit.digits)} ${unit.name} (${between([0, low, high], unit.scale, unit.digits, signed)}) `];
    return h("p", { class: "faint" }, sure.length ? ["What came to light then moved the chances: ", sure.map(tell)]
      : "Something came to light then; it moved the chances by less than can be told.");
  }

  // ---------------------------------------------------------------- curves

  /** The chances of every seat over the game, with their intervals; returns what moves the cursor. */
  function curves(host, go) {
    const last = layer.steps.length, ends = layer.result;
    const values = layer.steps.flatMap((step) => [...step.s, ...step.a].flatMap((found) => found ?? []));
    const top = layer.contest ? 1000 : Math.max(...values, 10), low = layer.contest ? 0 : Math.min(...values, 0);
    const x = (step) => 30 + (WIDTH - 54) * step / Math.max(1, last), y = (value) => 8 + (HEIGHT - 20) * (top - value) / (top - low || 1);
    const svg = h("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", onclick: (event) => {
      const box = svg.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left) / box.width * WIDTH - 30) / (WIDTH - 54) * last));
    } });
    const cursor = h("path", { class: "cursor" }), veil = h("rect", { class: "secret", y: 0, height: HEIGHT });
    let drawn = null;

    function draw(eyes) {
      const seen = [...layer.steps.keys()].filter((step) => mayRead(step, eyes));
      const lines = seats.map(({ seat }) => {
        const upper = seen.map((step) => `${x(step).toFixed(1)},${y(layer.steps[step].s[seat][2]).toFixed(1)}`);
        const lower = seen.map((step) => `${x(step).toFixed(1)},${y(layer.steps[step].s[seat][1]).toFixed(1)}`).reverse();
        const way = seen.flatMap((step) => [`${x(step).toFixed(1)},${y(layer.steps[step].s[seat][0]).toFixed(1)}`, `${x(step + 0.5).toFixed(1)},${y(layer.steps[step].a[seat][0]).toFixed(1)}`]);
        if (ends) way.push(`${x(last)},${y(ends[seat]).toFixed(1)}`);
        return [h("polygon", { class: `band of-seat${seat}`, points: [...upper, ...lower].join(" ") }), h("polyline", { class: `curve of-seat${seat}`, points: way.join(" ") })];
      });
      const wrong = seen.filter((step) => layer.steps[step].m).map((step) => {
        const { seat, s } = layer.steps[step];
        return h("circle", { class: `wrong of-seat${seat}`, cx: x(step), cy: y(s[seat][0]), r: 4 });
      });
      svg.setAttribute("aria-label", layer.contest ? "chances of victory over the game, by what the seat that decides knows" : "what may be expected, over the game");
      svg.replaceChildren(...[low, top].map((value) => h("path", { class: "rule", d: `M30 ${y(value)}H${WIDTH - 24}` })),
        ...chapters.filter(({ step, level }) => step && !level).map(({ step }) => h("path", { class: "rule", d: `M${x(step)} 4V${HEIGHT - 8}` })),
        ...[low, top].map((value) => h("text", { x: 26, y: y(value), class: "tick" }, layer.contest ? `${value / 10}` : plain(value / 10, 0))),
        ...lines.flat(), ...wrong, veil, cursor);
    }

    host.append(h("p", { class: "faint" }, layer.contest ? "Chances in %, as the seat that decides could know; dots are mistakes" : "Expected points; dots are mistakes"), svg);
    return (step, eyes, secret) => {
      if (drawn !== eyes) draw(drawn = eyes);
      veil.setAttribute("x", x(step) + 1);
      veil.setAttribute("width", secret ? WIDTH - x(step) : 0);
      cursor.setAttribute("d", `M${x(step)} 4V${HEIGHT - 8}`);
    };
  }

  // ---------------------------------------------------------------- sums

  function sums(go) {
    const cell = (found, scale, digits, name = "") => found ? [`${plain(found[0] / scale, digits)}${name}`, h("small", {}, ` ${between(found, scale, digits)}`)] : "–";
    const table = ({ name, rows }) => h("table", {}, h("caption", {}, { seat: "The whole game", chapter: "By chapter", kind: "By kind of decision" }[name]),
      h("thead", {}, h("tr", {}, ["", "decisions", "mistakes", ...(layer.contest ? ["victory lost each"] : []), "points lost each", "accuracy"].map((word) => h(word ? "th" : "td", word ? { scope: "col" } : {}, word)))),
      h("tbody", {}, rows.map(([seat, label, decisions, mistakes, lost, chances, accuracy]) => h("tr", {},
        h("th", { scope: "row" }, seatSign(seat, { seats }), ` ${label || seats[seat].name}`),
        h("td", { class: "number" }, String(decisions)), h("td", { class: "number" }, String(mistakes)),
        layer.contest ? h("td", { class: "number" }, cell(chances, 10, 1, " %")) : null, h("td", { class: "number" }, cell(lost, 100, 2)), h("td", { class: "number" }, cell(accuracy, 1, 0, " %"))))));
    const [whole, ...parts] = layer.sums;
    const wrong = layer.steps.map((step, place) => ({ ...step, place })).filter((step) => step.m).sort((a, b) => a.m - b.m);
    const line = (step) => h("li", {}, h("button", { type: "button", onclick: () => go(step.place) },
      seatSign(step.seat, { seats }), ` step ${step.place}: ${losses(step)}. ${layer.options[step.o[step.t]].word}; better: ${layer.options[step.o[step.b]].word}`));
    const luck = layer.luck.map((found, seat) => found && h("li", {}, seatSign(seat, { seats }), ` ${seats[seat].name}: ${signed(found[0] / unit.scale, unit.digits)} ${unit.name} (${between(found, unit.scale, unit.digits, signed)})`));
    return [h("h2", {}, `The game as ${layer.agent} sees it`), table(whole),
      h("p", { class: "faint" }, `Accuracy: of what choices at random would lose, how much was kept. ${layer.playouts.toLocaleString("en")} games were played out, ${layer.worlds} or more for each loss; intervals of losses hold for the whole game (${layer.level} % each).`),
      luck.some(Boolean) ? [h("h3", {}, "Luck"), h("p", { class: "faint" }, "What the result leaves when the chances at the start and the effects of all decisions are taken off."), h("ul", {}, luck)] : null,
      h("h3", {}, wrong.length ? "Mistakes, the largest first" : "No mistake can be told"),
      wrong.length ? h("ol", {}, wrong.slice(0, LISTED).map(line)) : null,
      wrong.length > LISTED ? h("details", {}, h("summary", {}, `and ${wrong.length - LISTED} more`), h("ol", { start: LISTED + 1 }, wrong.slice(LISTED).map(line))) : null,
      h("details", {}, h("summary", {}, "By chapter and kind of decision"), parts.map((part) => h("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": part.name }, table(part))))];
  }

  /** The next mistake of those that these eyes may read of, in one way or the other; where there is none, null. */
  function next(step, way, eyes) {
    const found = layer.steps.map((_, place) => place).filter((place) => layer.steps[place].m && mayRead(place, eyes));
    return (way > 0 ? found.find((place) => place > step) : found.findLast((place) => place < step)) ?? null;
  }

  return { at, verdict, curves, sums, next, isOpen, mayRead,
    take: (step, action) => tried.set(step, options(step).findIndex((option) => option.action === action)) };
}
