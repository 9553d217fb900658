// The form of Pix codes: fields with their length, and a checksum at the end (the Central Bank of Brazil's manual of
// the BR Code, 2020).

export const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`

export function brCode(fields: readonly string[]): string {
  const body = `${fields.join('')}6304`
  return body + checksum(body)
}

/** CRC-16/CCITT-FALSE. */
function checksum(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
