// Hashing of passwords, which is slow on purpose and therefore queued.

export interface Passwords {
  hash(password: string): Promise<string>
  /** A null hash (unknown account, no password) takes the same time and is false. */
  verify(hash: string | null, password: string): Promise<boolean>
}
