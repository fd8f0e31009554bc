// SPDX-License-Identifier: Apache-2.0
// The button that switches between the system's setting, light and dark. Furo's own script is a module, which browsers do not load from the disk.
document.documentElement.classList.remove("no-js");
document.addEventListener("DOMContentLoaded", () => {
  const order = ["auto", "light", "dark"];
  for (const button of document.getElementsByClassName("theme-toggle"))
    button.addEventListener("click", () => {
      const next = order[(order.indexOf(document.body.dataset.theme) + 1) % order.length];
      document.body.dataset.theme = next;
      localStorage.setItem("theme", next);
    });
});
