/** Tabs: one panel is seen at a time, the others keep their place. */
import { html, setAttribute } from "../shared/dom.js";
import { newIdentity } from "../shared/draw.js";

/**
 * Make tabs.
 *
 * @param names what the tabs are called
 * @returns {element, panels, choose(index)}
 */
export function makeTabs(label, names) {
  const identity = newIdentity();
  const panels = names.map((_, index) => html("div", { class: "sokoviz-heat-panel", role: "tabpanel", id: `${identity}-${index}`, "aria-labelledby": `${identity}-tab-${index}` }));
  const tabs = names.map((name, index) => html("button", { type: "button", role: "tab", id: `${identity}-tab-${index}`, "aria-controls": `${identity}-${index}` }, name));
  const choose = (chosen) => tabs.forEach((tab, index) => {
    setAttribute(tab, "aria-selected", index === chosen);
    tab.tabIndex = index === chosen ? 0 : -1;
    panels[index].classList.toggle("sokoviz-away", index !== chosen);
  });
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => choose(index));
    tab.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: index - 1 + tabs.length, ArrowRight: index + 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(to % tabs.length);
      tabs[to % tabs.length].focus();
    });
  });
  choose(0);
  const list = html("div", { class: "sokoviz-charts-tabs", role: "tablist", "aria-label": label }, ...tabs);
  return { element: html("div", { class: "sokoviz-heat-tabs" }, list, html("div", { class: "sokoviz-heat-tabpanels" }, ...panels)), panels, choose };
}
