import { receipt } from "./receipt";

console.log(receipt('{"payer": "Ada", "amount": 12.5}'));
console.log(receipt('{"payer": "Grace", "amount": "8.00"}'));
