// A reporter for `node --test` that writes one JSON object a line: a record per test, then {"finish": true}.
// It runs in the process that starts the tests; files of tests run in processes of their own.

const MAX_TEXT = 20000;

function story(error) {
  const cause = error?.cause ?? error;
  const message = String(cause?.message ?? cause ?? "");
  return { message: message.slice(0, MAX_TEXT), stack: String(cause?.stack ?? "").slice(0, MAX_TEXT) };
}

export default async function* report(source) {
  const line = (record) => JSON.stringify(record) + "\n";
  for await (const { type, data } of source) {
    const test = { name: data?.name, nesting: data?.nesting, file: data?.file, line: data?.line };
    if (type === "test:start" || type === "test:dequeue") {
      yield line({ event: type, ...test });
    } else if (type === "test:pass" || type === "test:fail") {
      const record = { event: type, ...test, seconds: (data.details?.duration_ms ?? 0) / 1000 };
      record.suite = data.details?.type === "suite";
      record.skip = data.skip !== undefined && data.skip !== false;
      record.todo = data.todo !== undefined && data.todo !== false;
      yield line(type === "test:fail" ? { ...record, kind: data.details?.error?.failureType, ...story(data.details?.error) } : record);
    } else if (type === "test:stdout" || type === "test:stderr") {
      yield line({ event: "output", file: data.file, text: String(data.message).slice(0, MAX_TEXT) });
    }
  }
  yield line({ finish: true });
}
