// Port: hashing of passwords, which is slow on purpose and therefore queued.

export interface Passwords {
  hash(password: string): Promise<string>
  /** False for a null hash (unknown account, no password), after the same time. */
  verify(hash: string | null, password: string): Promise<boolean>
}
