import { connect } from "./client";

console.log(connect('{"server": {"host": "a", "port": 1}, "retry": {"times": 2}}'));
