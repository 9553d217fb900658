// The most common passwords in lower case: a public list, and Brazilian ones that it lacks.
import { createRequire } from 'node:module'
import type { dictionary } from '@zxcvbn-ts/language-common'
import { onFirstUse } from '#kernel/values/on-first-use.ts'

const load = createRequire(import.meta.url)

const ALSO_COMMON = `
  brasil10 brasil123 brasil1234 brasil2014 brasil2022 brasil2024 brasil2025 brasil2026 saopaulo saopaulo123 riodejaneiro
  senha1234 senha12345 senha123456 senhasenha senha@123 senha@1234 senha2024 senha2025 senha2026 minhasenha suasenha
  mudar123 mudar@123 mudar1234 mudarsenha trocar123 trocar@123 novasenha primeiroacesso acesso123 acesso@123
  admin123 admin1234 admin@123 admin12345 adminadmin administrador empresa123 cliente123 usuario123 teste123 teste1234
  testeteste sistema123 financeiro financeiro123 comercial123 suporte123 escritorio bomdia123 boatarde obrigado
  flamengo10 flamengo123 flamengo1981 corinthians corinthians10 corinthians123 palmeiras10 palmeiras123 saopaulofc
  santosfc saopaulino gremio123 internacional vascodagama cruzeiro123 atletico123 fluminense botafogo123
  deusefiel deus123456 deusmeama jesuscristo jesus1234 jesusteamo nossasenhora amovoce euteamo123 teamo123 minhavida
  meuamor123 familia123 felicidade liberdade saudades esperanca gabriel123 mariaclara joaopedro anaclara
  abcd1234 abcd@1234 abc@1234 qwer@1234 1234abcd 12345678a a12345678 password@123 p@ssw0rd p@ssword1 passw0rd1
  titular1 titular123 titular1234 titular@123
`

/** Unpacked when the first password is chosen, which takes 40 ms. */
export const commonPasswords = onFirstUse((): ReadonlySet<string> => {
  const library: { dictionary: typeof dictionary } = load('@zxcvbn-ts/language-common')
  return new Set([
    ...library.dictionary['passwords-common'].map((password) => password.toLowerCase()),
    ...ALSO_COMMON.trim().split(/\s+/),
  ])
})
