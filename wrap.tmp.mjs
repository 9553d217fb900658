import ts from 'typescript'
import fs from 'node:fs'
import { globSync } from 'node:fs'
const MAX = 120
const files = globSync('src/**/*.ts').filter((f) => !/\.(test|contract|d)\.ts$/.test(f))
let stats = { c: 0, s: 0, q: 0 }
for (const f of files) {
  let t = fs.readFileSync(f, 'utf8')
  const before = t
  t = wrapComments(t)
  t = wrapSql(f, t)
  if (process.argv[2] === 'strings') t = wrapStrings(f, t)
  if (t !== before) fs.writeFileSync(f, t)
}
console.log(stats)
function reflow(words, prefix, width) {
  const out = []; let line = prefix
  for (const w of words) {
    if (line !== prefix && (line + ' ' + w).length > width) { out.push(line); line = prefix + ' ' + w }
    else line += ' ' + w
  }
  out.push(line); return out
}
function wrapComments(t) {
  const lines = t.split('\n'); const out = []
  for (let i = 0; i < lines.length; i++) {
    const l = lines[i]
    let m
    if ((m = /^(\s*)\/\/ /.exec(l)) && !/oxlint|eslint|@ts-/.test(l)) {
      // the rest of the paragraph
      const ind = m[1] + '//'
      let j = i; const block = []
      while (j < lines.length && lines[j].startsWith(ind + ' ') && !/oxlint|eslint|@ts-/.test(lines[j]) && !/^\s*\/\/ (  |[-*|] )/.test(lines[j])) { block.push(lines[j]); j++ }
      if (block.some((b) => b.length > MAX)) {
        // keep lines before the first long one
        const k = block.findIndex((b) => b.length > MAX)
        out.push(...block.slice(0, k))
        const words = block.slice(k).map((b) => b.slice(ind.length + 1)).join(' ').split(/ +/)
        out.push(...reflow(words, ind, MAX)); stats.c++
        i = j - 1; continue
      }
      if (block.length) { out.push(...block); i = j - 1; continue }
    }
    if (l.length > MAX && (m = /^(\s*)\/\*\* (.*) \*\/$/.exec(l))) {
      out.push(m[1] + '/**', ...reflow(m[2].split(/ +/), m[1] + ' *', MAX), m[1] + ' */'); stats.c++; continue
    }
    if ((m = /^(\s*)\* (?!  )(?![-|])/.exec(l)) && l.length > MAX) {
      const ind = m[1] + '*'
      let j = i; const block = []
      while (j < lines.length && lines[j].startsWith(ind + ' ') && !/^\s*\* ([-|] | )/.test(lines[j]) && !lines[j].trimEnd().endsWith('*/')) { block.push(lines[j]); j++ }
      if (block.length) { out.push(...reflow(block.map((b) => b.slice(ind.length + 1)).join(' ').split(/ +/), ind, MAX)); stats.c++; i = j - 1; continue }
    }
    out.push(l)
  }
  return out.join('\n')
}
function wrapSql(f, t) {
  for (let pass = 0; pass < 6; pass++) {
    const src = ts.createSourceFile(f, t, ts.ScriptTarget.Latest, true)
    const spots = []
    const visit = (n) => {
      if (ts.isTaggedTemplateExpression(n) && /^sql/.test(n.tag.getText())) {
        const parts = ts.isNoSubstitutionTemplateLiteral(n.template) ? [n.template] : [n.template.head, ...n.template.templateSpans.map((s) => s.literal)]
        // track quotes over the whole template
        let inQuote = false, dollar = false
        for (const p of parts) {
          const s = p.getStart() + 1, e = p.getEnd()
          for (let i = s; i < e; i++) {
            const ch = t[i]
            if (ch === "'") inQuote = !inQuote
            if (t.startsWith('$$', i)) dollar = !dollar
            if (!inQuote && !dollar && ch === ' ') spots.push(i)
          }
        }
      }
      ts.forEachChild(n, visit)
    }
    visit(src)
    const set = new Set(spots)
    let changed = false
    const lines = t.split('\n'); let off = 0
    const edits = []
    for (const l of lines) {
      if (l.length > MAX && !l.includes('--')) {
        const ind = /^\s*/.exec(l)[0]
        const KEY = /^(and|or|where|from|join|left join|order by|group by|then|else|when|union|returning|set|values|case|limit|end|on|select|using|having|for update|in)\b/
        let best = -1, any = -1
        for (let c = MAX; c > Math.max(ind.length + 30, 40); c--) {
          if (!set.has(off + c)) continue
          if (any < 0) any = c
          if (KEY.test(l.slice(c + 1)) ) { best = c; break }
        }
        const at = best > 60 ? best : -1
        const use = at > 0 ? at : (any > 0 && /[,)]$/.test(l.slice(0, any)) ? any : (best > 0 ? best : any))
        if (use > 0) edits.push([off + use, '\n' + ind + '  '])
      }
      off += l.length + 1
    }
    for (const [at, text] of edits.reverse()) { t = t.slice(0, at) + text + t.slice(at + 1); changed = true; stats.s++ }
    if (!changed) break
  }
  return t
}
function wrapStrings(f, t) {
  const src = ts.createSourceFile(f, t, ts.ScriptTarget.Latest, true)
  const edits = []
  const lineOf = (pos) => src.getLineAndCharacterOfPosition(pos)
  const lines = t.split('\n')
  const visit = (n) => {
    if (ts.isStringLiteral(n) && !ts.isImportDeclaration(n.parent) && !ts.isExportDeclaration(n.parent) && !ts.isLiteralTypeNode(n.parent) && !(ts.isPropertyAssignment(n.parent) && n.parent.name === n)) {
      const { line, character } = lineOf(n.getStart())
      if (lines[line].length > MAX && n.getEnd() - n.getStart() > 40) {
        const text = t.slice(n.getStart() + 1, n.getEnd() - 1), q = t[n.getStart()]
        const room = MAX - 14 - /^\s*/.exec(lines[line])[0].length
        const chunks = []; let rest = text
        while (rest.length > room) {
          let c = rest.lastIndexOf(' ', room)
          if (c < 20) break
          chunks.push(rest.slice(0, c + 1)); rest = rest.slice(c + 1)
        }
        chunks.push(rest)
        if (chunks.length > 1) { edits.push([n.getStart(), n.getEnd(), chunks.map((x) => q + x + q).join(' + ')]); stats.q++ }
      }
    }
    ts.forEachChild(n, visit)
  }
  visit(src)
  for (const [a, b, x] of edits.sort((p, q) => q[0] - p[0])) t = t.slice(0, a) + x + t.slice(b)
  return t
}
