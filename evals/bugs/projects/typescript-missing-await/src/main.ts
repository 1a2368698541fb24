import { renderPage } from "./page";

renderPage("People").then((html) => console.log(html));
