import { JobQueue } from "./queue";

const queue = new JobQueue();
queue.add({ id: 1, priority: 2 });
queue.add({ id: 2, priority: 5 });
queue.add({ id: 3, priority: 1 });
queue.remove(2);
console.log(queue.highest().id);
