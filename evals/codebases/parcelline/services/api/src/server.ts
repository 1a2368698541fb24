import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { InvalidAddress } from "./address";
import { Bookings, TooHeavy, TooLate } from "./bookings";
import { checkToken, Forbidden } from "./tokens";

const MAX_BODY_BYTES = 16_384;

export function apiServer(bookings: Bookings, secret: string) {
  return createServer(async (request, response) => {
    try {
      checkToken(request.headers.authorization ?? "", secret);
      await route(bookings, request, response);
    } catch (error) {
      send(response, statusOf(error), { error: error instanceof Error ? error.message : "unknown" });
    }
  });
}

async function route(bookings: Bookings, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const cancelled = /^\/parcels\/([\w-]+)\/cancel$/.exec(request.url ?? "");
  if (request.method === "POST" && request.url === "/parcels") {
    const { to, weightGrams, express } = JSON.parse(await body(request));
    send(response, 201, await bookings.book(to, weightGrams, Boolean(express)));
  } else if (request.method === "POST" && cancelled) {
    send(response, 200, await bookings.cancel(cancelled[1]));
  } else {
    send(response, 404, { error: "not found" });
  }
}

function statusOf(error: unknown): number {
  if (error instanceof Forbidden) return 403;
  if (error instanceof InvalidAddress || error instanceof TooHeavy) return 422;
  if (error instanceof TooLate) return 409;
  return error instanceof RangeError ? 404 : 500;
}

async function body(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) {
    text += piece;
    if (text.length > MAX_BODY_BYTES) throw new RangeError("body too large");
  }
  return text;
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
