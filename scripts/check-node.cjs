// Plain JavaScript, so that every version of Node can run it: reports a version that is too old before a syntax error would.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Titular needs Node 24 and this is ${process.version}. On Linux x64 "npm ci" brings Node 24 along; elsewhere install it (https://nodejs.org).`,
  )
  process.exit(1)
}
