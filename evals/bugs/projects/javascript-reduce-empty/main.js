import { headline } from "./src/page.js";

console.log(headline({ name: "lamp", ratings: [{ stars: 5, verified: false }] }));
