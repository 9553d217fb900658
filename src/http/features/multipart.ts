// Reads the parts of a multipart/form-data request as they arrive; only fields are kept in memory.
import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, invalid } from '#kernel/values/errors.ts'
import type { Multipart } from './file-bodies.ts'

const LIMITS = { files: 1, fields: 20, fieldSize: 100_000, fieldNameSize: 100, headerPairs: 20 }

export const FILE_FIELD = 'file'

/** Null when the request has another content type. */
export function multipartOf(request: FastifyRequest): Multipart | null {
  if (!request.isMultipart()) return null
  return async (maxBytes, receive) => {
    const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>
    let refused: unknown
    let broken: unknown
    try {
      for await (const part of request.parts({
        limits: { ...LIMITS, fileSize: maxBytes },
      })) {
        if (part.type === 'field') {
          if (part.valueTruncated) throw (refused = new AppError('PAYLOAD_TOO_LARGE'))
          if (part.fieldname in fields) throw (refused = invalid({ [part.fieldname]: 'stands there twice' }))
          fields[part.fieldname] = part.value
          continue
        }
        if (part.fieldname !== FILE_FIELD) throw (refused = invalid({ [part.fieldname]: 'unknown field' }))
        const tooLarge = new AppError('PAYLOAD_TOO_LARGE')
        // The parser would go through the rest of the file, however long, before its stream ends.
        part.file.once('limit', () => part.file.destroy(tooLarge))
        await receive({ fileName: part.filename || null, stream: part.file }).catch((error: unknown) => {
          // Who stops reading ends the stream with an error too: what made them stop is told.
          const isOfBody = part.file.errored !== null && part.file.errored !== tooLarge && !(error instanceof AppError)
          if (isOfBody) broken = part.file.errored
          throw (refused = error)
        })
        if (part.file.truncated) throw (refused = tooLarge)
      }
    } catch (error) {
      if (error === refused && broken === undefined) throw error
      throw malformed(error)
    }
    return fields
  }
}

/** How long a refused upload is read on. */
const REST_MS = 2000

/**
 * Reads a refused upload to its end, for a moment: a client that is still sending when the connection closes may lose
 * the answer.
 */
export async function readRest({ raw }: FastifyRequest): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, REST_MS)
  raw.once('end', over.resolve).once('close', over.resolve).resume()
  await over.promise
  clearTimeout(timer)
}

/** 413 when there are more parts than the limits allow; any other error of the parser means a malformed body. */
function malformed(cause: unknown): AppError {
  const status = cause instanceof Error && 'statusCode' in cause ? cause.statusCode : undefined
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', { cause })
  return new AppError('BAD_REQUEST', { message: 'The body is not valid multipart/form-data', cause })
}
