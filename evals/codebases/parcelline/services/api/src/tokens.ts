import { createHmac, timingSafeEqual } from "node:crypto";

const TOKEN_MINUTES = 15;

export class Forbidden extends Error {}

/** `Bearer <user>.<expiry>.<signature>`: signed by us, valid for a quarter of an hour. */
export function issueToken(user: string, secret: string, now = Date.now()): string {
  const expiry = now + TOKEN_MINUTES * 60_000;
  return `${user}.${expiry}.${sign(`${user}.${expiry}`, secret)}`;
}

/** Returns the user, or throws Forbidden for a token that is malformed, forged or too old. */
export function checkToken(header: string, secret: string, now = Date.now()): string {
  const [user, expiry, signature] = header.replace(/^Bearer /, "").split(".");
  if (!signature) throw new Forbidden("no token");
  const expected = Buffer.from(sign(`${user}.${expiry}`, secret));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Forbidden("bad signature");
  if (Number(expiry) < now) throw new Forbidden("token expired");
  return user;
}

function sign(text: string, secret: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}
