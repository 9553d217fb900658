// Plain JavaScript, so that any Node can read it: says what is missing before a syntax error does.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Titular needs Node 24 and this is ${process.version}. On Linux x64 "npm ci" brings Node 24 along; elsewhere install it (https://nodejs.org).`,
  )
  process.exit(1)
}
