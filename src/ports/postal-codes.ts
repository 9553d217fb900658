// Port: the Brazilian postal codes (CEP), which tell the address that they stand for.

export type PostalCodeAnswer =
  /** Street and neighborhood are null for the one code of a small town. */
  | { outcome: 'found'; street: string | null; neighborhood: string | null; city: string; state: string }
  /** Found nowhere; the sources behind may have failed, so no proof that there is no such code. */
  | { outcome: 'not_found' }
  /** No answer in time, or one that cannot be read. */
  | { outcome: 'unavailable' }
  /** Nobody is configured whom to ask. */
  | { outcome: 'not_asked' }

export interface PostalCodes {
  /** `zipcode`: eight digits. Never throws for a failure of whom it asks. */
  find(zipcode: string): Promise<PostalCodeAnswer>
}
