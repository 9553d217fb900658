// The envelopes of spec 2.1: success, page, failure.
import { Type, type TSchema } from 'typebox'
import { type AppError, ERROR_CODES, ERRORS } from './errors.ts'
import { DEFAULT_PER_PAGE, Nullable, type Page } from '#kernel/values/schema.ts'

export type PageMeta = { page: number; per_page: number; total: number; pages: number }

export const success = (data: unknown, message: string | null = null, meta: PageMeta | null = null) => ({
  success: true as const,
  data,
  meta,
  message,
  errors: null,
})

/** `pages` is 0 when nothing matches; a page past the end is an empty list. */
export function pageMeta({ page = 1, per_page = DEFAULT_PER_PAGE }: Page, total: number): PageMeta {
  return { page, per_page, total, pages: Math.ceil(total / per_page) }
}

export function failure(error: AppError) {
  const { fields, detail } = error.details
  return {
    success: false as const,
    data: null,
    meta: null,
    message: error.message,
    errors: { code: error.code, ...(fields && { fields }), ...(detail && { detail }) },
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
      page: Type.Integer({ examples: [1] }),
      per_page: Type.Integer({ examples: [20] }),
      total: Type.Integer({ examples: [42] }),
      pages: Type.Integer({ examples: [3] }),
    }),
    message: Message,
    errors: Null,
  })

export const FailureEnvelope = Type.Object(
  {
    success: Type.Boolean({ const: false }),
    data: Null,
    meta: Null,
    message: Type.String({ examples: [ERRORS.NOT_FOUND.message] }),
    errors: Type.Object({
      code: Type.String({ enum: ERROR_CODES, examples: ['NOT_FOUND'] }),
      fields: Type.Optional(
        Type.Record(Type.String(), Type.String(), { description: 'Field name to what is wrong with it (on 422)' }),
      ),
      detail: Type.Optional(Type.String()),
    }),
  },
  { $id: 'Failure', description: 'Every refusal and failure' },
)
