/** Talks to the gate. Every call carries the session cookie. */

export interface ClientOptions {
  baseUrl: string;
  timeoutMs?: number;
  onSignedOut?: () => void;
}

export class ApiError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

export class ApiClient {
  private readonly timeoutMs: number;

  constructor(private readonly options: ClientOptions) {
    this.timeoutMs = options.timeoutMs ?? 8000;
  }

  /** Sends JSON, returns JSON; a 401 signs the person out. */
  async request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.options.baseUrl + path, {
      method,
      credentials: "include",
      headers: { "Content-Type": "application/json", "X-Tollgate-Client": "web" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    if (response.status === 401) {
      this.options.onSignedOut?.();
    }
    if (!response.ok) {
      throw new ApiError(response.status, await response.text());
    }
    return (await response.json()) as T;
  }
}
