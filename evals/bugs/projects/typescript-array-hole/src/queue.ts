export interface Job {
  id: number;
  priority: number;
}

export class JobQueue {
  private jobs: Job[] = [];

  add(job: Job): void {
    this.jobs.push(job);
  }

  remove(id: number): void {
    const index = this.jobs.findIndex((job) => job.id === id);
    delete this.jobs[index];
  }

  highest(): Job {
    let best = this.jobs[0];
    for (const job of this.jobs) {
      if (job.priority > best.priority) best = job;
    }
    return best;
  }
}
