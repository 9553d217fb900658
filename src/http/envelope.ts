// The envelopes of spec 2.1: success, page, failure.
import { Type, type TSchema } from 'typebox'
import { type AppError, ERROR_CODES, ERRORS } from '#kernel/values/errors.ts'
import { ERRORS_PAGE } from '#kernel/values/reasons.ts'
import { DEFAULT_PER_PAGE, Nullable, type Page } from '#kernel/values/schema.ts'
import type { Language } from '#texts/language.ts'
import { FIELD_CODES } from '#texts/answers/fields.ts'
import { fieldsIn, sentenceIn } from '#texts/answers/sentences.ts'

/** With a cursor there is no number of a page, and a total only if it is asked for. */
export type PageMeta = {
  page: number | null
  per_page: number
  total: number | null
  pages: number | null
  next_cursor?: string | null
}

export const success = (data: unknown, message: string | null = null, meta: PageMeta | null = null) => ({
  success: true as const,
  data,
  meta,
  message,
  errors: null,
})

/** `pages` is 0 when nothing matches; a page past the end is an empty list. */
export const pageMeta = ({ page = 1, per_page = DEFAULT_PER_PAGE }: Page, total: number): PageMeta => ({
  page,
  per_page,
  total,
  pages: Math.ceil(total / per_page),
})

/** `publicUrl`: where the page of the reasons is served. */
export function failure(error: AppError, publicUrl = '', language: Language = 'en') {
  const { reason, fields, detail, missing } = error.details
  const named = reason && { reason, docs_url: `${publicUrl}${ERRORS_PAGE}#${reason}` }
  return {
    success: false as const,
    data: null,
    meta: null,
    message: sentenceIn(language, error.message),
    errors: {
      code: error.code,
      ...named,
      ...(fields && fieldsIn(language, fields)),
      ...(missing && { missing }),
      ...(detail && { detail }),
    },
  }
}

const Null = Type.Null()
const Message = Nullable(Type.String({ description: 'A sentence for people' }))

export const SuccessEnvelope = (data: TSchema) =>
  Type.Object({ success: Type.Boolean({ const: true }), data, meta: Null, message: Message, errors: Null })

export const PageEnvelope = (item: TSchema) =>
  Type.Object({
    success: Type.Boolean({ const: true }),
    data: Type.Array(item),
    meta: Type.Object({
      page: Nullable(Type.Integer({ examples: [1] })),
      per_page: Type.Integer({ examples: [20] }),
      total: Nullable(Type.Integer({ examples: [42] })),
      pages: Nullable(Type.Integer({ examples: [3] })),
      next_cursor: Type.Optional(Nullable(Type.String())),
    }),
    message: Message,
    errors: Null,
  })

/** In openapi.json, `reason` is one of those that the modules declare. */
export const FailureEnvelope = Type.Object(
  {
    success: Type.Boolean({ const: false }),
    data: Null,
    meta: Null,
    message: Type.String({ examples: [ERRORS.NOT_FOUND.message] }),
    errors: Type.Object({
      code: Type.String({ enum: ERROR_CODES, examples: ['NOT_FOUND'] }),
      reason: Type.Optional(
        Type.String({
          description: 'Tells refusals of one code apart; always there on 409. More are added over time',
          examples: ['quote_expired'],
        }),
      ),
      docs_url: Type.Optional(Type.String({ format: 'uri', description: 'What the reason means, and what to do' })),
      fields: Type.Optional(
        Type.Record(Type.String(), Type.String(), { description: 'Field name to what is wrong with it (on 422)' }),
      ),
      field_codes: Type.Optional(
        Type.Record(Type.String(), Type.String({ enum: Object.keys(FIELD_CODES) }), {
          description: 'Field name to the code of what is wrong with it (on 422). More are added over time',
        }),
      ),
      missing: Type.Optional(
        Type.Object(
          {
            scopes: Type.Optional(Type.Array(Type.String(), { examples: [['quotes']] })),
            role: Type.Optional(Type.String({ description: 'The lowest that may', examples: ['admin'] })),
          },
          { description: 'What the caller lacks in the organization (on 403); `GET /me/access` says who can grant it' },
        ),
      ),
      detail: Type.Optional(Type.String()),
    }),
  },
  { $id: 'Failure', description: 'Every refusal and failure' },
)
