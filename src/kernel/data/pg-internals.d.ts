// Of pg's inside we use what turns a value into its text form on the wire.
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(value: unknown): string | Buffer | null }
  export default utils
}
