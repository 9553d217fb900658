// What a setting is: one environment variable, declared once (docs/decisions/0031).

export type Variable<Value = unknown> = {
  name: string
  /** As the README prints it. */
  meaning: string
  /** Throws a sentence that says what the text must be. */
  read: (text: string) => Value
  /** Its text when it is unset. Without one its value is null then. */
  fallback?: string
  /** In the sandbox, in place of `fallback`. */
  sandboxFallback?: string
  /** Outside the sandbox the service does not start without it; a text says what the choice may be. */
  required?: true | string
  /** Never shown, and may be given as a file whose path `NAME_FILE` holds. */
  secret?: true
  /** Without it only the commands and the server get the value. */
  visibleTo?: 'areas'
}

/** The variables of a subject, by the properties that their values become. */
export type Variables = Readonly<Record<string, Variable>>

/** Null when it is unset. A required one with a fallback in the sandbox never is: elsewhere the start is refused without it. */
type ValueOf<One extends Variable> =
  | ReturnType<One['read']>
  | (One extends { fallback: string } | { sandboxFallback: string; required: true | string } ? never : null)

export type ValuesOf<Subject extends Variables> = { readonly [Property in keyof Subject]: ValueOf<Subject[Property]> }

/** Where a secret may be read from instead. */
export const fileNameOf = ({ name, secret }: Variable): string | null => (secret ? `${name}_FILE` : null)
