// A setting: one environment variable, declared once (CONTRIBUTING.md).

export type Variable<Value = unknown> = {
  name: string
  /** Printed in docs/settings.md. */
  meaning: string
  /** Throws a sentence that says what the text must be. */
  read: (text: string) => Value
  /** The text that applies when the variable is unset; without it the value is null. */
  fallback?: string
  /** Replaces `fallback` in the sandbox. */
  sandboxFallback?: string
  /** The service does not start without it outside the sandbox; a text lists the choices in the error. */
  required?: true | string
  /** Never printed; may be read from the file whose path `NAME_FILE` holds. */
  secret?: true
  /** Without it, only commands and server get the value. */
  visibleTo?: 'areas'
}

/** The variables of a subject, by the property names of their values. */
export type Variables = Readonly<Record<string, Variable>>

/** Null when unset, but for a required one with a sandbox fallback: outside the sandbox the start fails without it. */
type ValueOf<One extends Variable> =
  | ReturnType<One['read']>
  | (One extends { fallback: string } | { sandboxFallback: string; required: true | string } ? never : null)

export type ValuesOf<Subject extends Variables> = { readonly [Property in keyof Subject]: ValueOf<Subject[Property]> }

/** The variable that holds the path of a secret's file. */
export const fileNameOf = ({ name, secret }: Variable): string | null => (secret ? `${name}_FILE` : null)
