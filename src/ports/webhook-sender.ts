// One request to a webhook endpoint, at an address that a customer chose.

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string }

/** `status` null: there was no answer, and `error` says why in a sentence for whoever set the endpoint up. */
export type WebhookAnswer =
  | { status: number; headers: Record<string, string>; body: string; error: null; durationMs: number }
  | { status: null; headers: Record<string, string>; body: ''; error: string; durationMs: number }

export type WebhookSender = {
  /** Never rejects and follows no redirect. Of the answer, a few kilobytes are read at most. */
  send(request: WebhookRequest): Promise<WebhookAnswer>
  close(): Promise<void>
}
