// Clients of a pool whose settings are asked for when one is made: the address of the server may come later than the
// pool.
import { Client, type ClientConfig } from 'pg'

export const clientWith = (config: () => ClientConfig) =>
  class extends Client {
    constructor() {
      super(config())
    }
  }
