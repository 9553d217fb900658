// Collects the errors of several checks, so that one answer names every bad field.
import { AppError, invalid } from '#kernel/values/errors.ts'

export type Fields = Record<string, string>

/** Runs checks that throw 422 or return. Of several errors of a field the first is kept. */
export function problemsIn(...checks: (() => unknown)[]): Fields {
  const found: Fields = {}
  for (const check of checks)
    try {
      check()
    } catch (error) {
      note(found, error)
    }
  return found
}

/** Runs all checks one after the other and returns their results, or throws one 422 with all their errors. */
export async function together<const Checks extends readonly (() => Promise<unknown>)[]>(
  ...checks: Checks
): Promise<{ -readonly [Index in keyof Checks]: Awaited<ReturnType<Checks[Index]>> }> {
  const found: Fields = {}
  const results: unknown[] = []
  for (const check of checks)
    try {
      // oxlint-disable-next-line no-await-in-loop -- they share one connection
      results.push(await check())
    } catch (error) {
      note(found, error)
    }
  if (Object.keys(found).length > 0) throw invalid(found)
  return results as never
}

function note(found: Fields, error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error
  for (const [field, problem] of Object.entries(error.details.fields ?? {})) found[field] ??= problem
}
