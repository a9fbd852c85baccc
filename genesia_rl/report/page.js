"use strict";
// Sorting: a click on a heading sorts all rows of its table, the folded ones too, and deals them out again.
function sortBy(figure, column, down) {
  const bodies = [...figure.querySelectorAll("tbody")];
  const rows = bodies.flatMap((body) => [...body.rows].map((row) => ({ row, body })));
  const numeric = rows.some(({ row }) => row.cells[column].dataset.key !== undefined);
  const held = rows.map(({ row }) => {
    const cell = row.cells[column];
    const value = numeric ? parseFloat(cell.dataset.key) : cell.textContent;
    return { row, value, missing: numeric ? Number.isNaN(value) : value === "–" };
  });
  const order = (a, b) => (numeric ? a.value - b.value : a.value.localeCompare(b.value, "en", { numeric: true }));
  held.sort((a, b) => a.missing - b.missing || (a.missing ? 0 : (down ? -1 : 1) * order(a, b)));
  const places = rows.map(({ body }) => body);
  held.forEach(({ row }, i) => places[i].append(row));
}

document.querySelectorAll("figure.table").forEach((figure) => {
  if (figure.querySelector("td[colspan]")) return;
  figure.querySelectorAll("tr").forEach((line) => {
    [...line.querySelectorAll("th")].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        // Numbers begin with the largest, words with the first of the alphabet.
        const before = head.getAttribute("aria-sort");
        const down = before ? before === "ascending" : head.classList.contains("number");
        sortBy(figure, column, down);
        figure.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
        figure.querySelectorAll("thead tr").forEach((heads) =>
          heads.cells[column].setAttribute("aria-sort", down ? "descending" : "ascending"));
      });
    });
  });
});

// On paper nothing can be unfolded.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  folded.forEach((part) => { part.open = true; });
});
addEventListener("afterprint", () => folded.forEach((part) => { part.open = false; }));
