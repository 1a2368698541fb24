import { Button, wire } from "./button";
import { Counter } from "./counter";

const button = new Button();
wire(button, new Counter());
button.click();
