// The access key of an NFS-e: municipality, environment, kind of inscription, inscription, number, month, random,
// digit.

/** The CNPJ within the key may contain letters. */
const KEY = /^\d{7}[12](1\d{14}|2[0-9A-Z]{14})\d{27}$/

export const isValidKey = (key: string): boolean => KEY.test(key)
