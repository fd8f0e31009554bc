// SPDX-License-Identifier: Apache-2.0
// The gallery with buttons that show the examples of one field or with one feature. The page is grouped by field without them.
document.addEventListener("DOMContentLoaded", () => {
  const page = document.querySelector("section#gallery");
  const sections = page ? [...page.querySelectorAll("section")] : [];
  if (!sections.length) return;
  const cards = [];
  for (const section of sections) {
    const table = section.querySelector("table"), grid = document.createElement("div");
    grid.className = "cards";
    for (const cell of table.querySelectorAll("td")) {
      if (!cell.querySelector("img")) continue;
      const card = document.createElement("div");
      card.append(...cell.childNodes);
      grid.append(card);
      cards.push({ card, section, features: card.querySelector("em").textContent.split(", ") });
    }
    (table.closest(".table-wrapper") || table).replaceWith(grid);
  }

  const chosen = { field: "", feature: "" };
  const count = document.createElement("p");
  count.className = "count";
  count.setAttribute("role", "status");
  const show = () => {
    for (const c of cards)
      c.card.hidden = (chosen.field && c.section.id != chosen.field) || (chosen.feature && !c.features.includes(chosen.feature));
    for (const section of sections) section.hidden = !cards.some((c) => c.section == section && !c.card.hidden);
    count.textContent = cards.filter((c) => !c.card.hidden).length + " of " + cards.length + " examples";
  };
  const row = (kind, label, choices) => {
    const group = document.createElement("div");
    group.className = "filter";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    for (const [value, text] of [["", "all " + label], ...choices]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.setAttribute("aria-pressed", value == "");
      button.addEventListener("click", () => {
        chosen[kind] = value;
        for (const other of group.children) other.setAttribute("aria-pressed", other == button);
        show();
      });
      group.append(button);
    }
    return group;
  };
  const heading = (section) => section.querySelector("h2").firstChild.textContent;
  const features = [...new Set(cards.flatMap((c) => c.features))].sort((a, b) => a.localeCompare(b));
  sections[0].before(row("field", "fields", sections.map((s) => [s.id, heading(s)])), row("feature", "features", features.map((f) => [f, f])), count);
  show();
});
