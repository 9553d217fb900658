// Sends one event to the service, as the systems of the sandbox do.
import type { Dispatcher } from 'undici'

export type OutgoingEvent = { url: string; headers: Record<string, string>; body: string }

type Sending = { dispatcher: Dispatcher; stop: AbortSignal; timeoutMs: number }

/** Whether it was taken. */
export async function postEvent(event: OutgoingEvent, { dispatcher, stop, timeoutMs }: Sending): Promise<boolean> {
  const { url, headers, body } = event
  const { request } = await import('undici')
  try {
    const response = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher,
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
    })
    // Only the status counts; the body is dropped, so that an endless one does not make a success fail.
    response.body.on('error', () => undefined).destroy()
    return response.statusCode >= 200 && response.statusCode < 300
  } catch {
    return false
  }
}
