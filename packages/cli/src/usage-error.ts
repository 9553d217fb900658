// What was typed cannot be done as it stands: nothing has been sent.

export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** The command whose help says more, such as `quotes accept`. */
  readonly command: string

  constructor(message: string, command = '') {
    super(message)
    this.command = command
  }
}

/** The program cannot go on without credentials. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn'
}
