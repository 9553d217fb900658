// Several things that are wrong with one input are told in one answer.
import { AppError, invalid } from './errors.ts'

export type Fields = Record<string, string>

/** What the checks find: each throws 422 or returns. The first word on a field stays. */
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

/** Runs all of them, one after the other, and gives what they give; or throws one 422 with what each found. */
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
