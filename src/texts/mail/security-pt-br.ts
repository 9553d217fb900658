// The mails about changes of how an account is signed in to, in Portuguese.

import type { MailTexts, SecurityNotice } from './content.ts'

type Words = { subject: (brand: string) => string; heading: string; text: string; advice?: string }

const NOTICES: Record<SecurityNotice, Words> = {
  mfa_enabled: {
    subject: (brand) => `Sua conta em ${brand} agora pede um segundo fator`,
    heading: 'O segundo fator está ativo',
    text:
      'Além da senha, a entrada na conta agora pede um código do seu aplicativo autenticador. Guarde os ' +
      'códigos de recuperação em lugar seguro: cada um permite entrar uma única vez se você perder o ' +
      'aplicativo.',
  },
  mfa_disabled: {
    subject: (brand) => `Sua conta em ${brand} não pede mais um segundo fator`,
    heading: 'O segundo fator foi desativado',
    text:
      'O aplicativo autenticador e os códigos de recuperação da conta deixaram de valer. Para entrar, basta a ' +
      'senha.',
  },
  recovery_codes_renewed: {
    subject: (brand) => `Novos códigos de recuperação da sua conta em ${brand}`,
    heading: 'Há novos códigos de recuperação',
    text: 'Os códigos de recuperação anteriores da conta deixaram de valer.',
  },
  recovery_code_used: {
    subject: (brand) => `Um código de recuperação da sua conta em ${brand} foi usado`,
    heading: 'Um código de recuperação foi usado',
    text:
      'Alguém com a sua senha entrou com um código de recuperação no lugar do código do aplicativo ' +
      'autenticador. Esse código não funciona mais.',
  },
  passkey_added: {
    subject: (brand) => `Uma chave de acesso foi adicionada à sua conta em ${brand}`,
    heading: 'Há uma nova chave de acesso',
    text:
      'Alguém com a sua senha registrou uma chave de acesso (passkey) para a conta. Com ela, a entrada ' +
      'dispensa a senha.',
    advice:
      'Se não foi você, redefina sua senha imediatamente, depois entre e remova a chave de acesso (a nova ' +
      'senha não a remove) e fale conosco.',
  },
  erasure_requested: {
    subject: (brand) => `Sua conta em ${brand} será apagada`,
    heading: 'A conta será apagada',
    text:
      'Foi pedido que a conta e o que ela diz sobre você sejam apagados. Até lá você pode entrar e cancelar o ' +
      'pedido; depois ninguém pode desfazê-lo.',
    advice: 'Se não foi você, entre, cancele o pedido, troque sua senha e fale conosco.',
  },
  passkey_removed: {
    subject: (brand) => `Uma chave de acesso foi removida da sua conta em ${brand}`,
    heading: 'Uma chave de acesso foi removida',
    text:
      'A chave de acesso (passkey) não permite mais entrar na conta, e as sessões abertas com ela foram ' +
      'encerradas.',
  },
  sso_linked: {
    subject: (brand) => `O login único foi vinculado à sua conta em ${brand}`,
    heading: 'O login único foi vinculado',
    text:
      'Você entrou pela primeira vez com o provedor de identidade da sua organização. A partir de agora, ele ' +
      'também abre a sua conta.',
    advice: 'Se não foi você, fale com quem cuida dos acessos na sua organização e entre em contato conosco.',
  },
}

export const securityMailsInPortuguese: Pick<MailTexts['kinds'], 'security-notice' | 'new-sign-in'> = {
  'new-sign-in': ({ name, device, ip, at, expiresAt }, { brand, time }) => ({
    subject: `Novo acesso à sua conta em ${brand}`,
    preheader: 'De um dispositivo que ainda não conhecíamos.',
    heading: 'Foi você?',
    paragraphs: [
      `Olá, ${name}. Alguém entrou na sua conta com um dispositivo que ainda não conhecíamos.`,
      'Se foi você, não precisa fazer nada. Se não foi, encerre todas as sessões com o botão e depois ' +
        'escolha uma nova senha.',
    ],
    facts: [
      { label: 'Quando', value: time(at) },
      ...(device === null ? [] : [{ label: 'Dispositivo', value: device }]),
      ...(ip === null ? [] : [{ label: 'Endereço de rede', value: ip }]),
    ],
    button: 'Não fui eu',
    notes: [`O link funciona até ${time(expiresAt)}.`],
  }),
  'security-notice': ({ name, notice, at }, { brand, time }) => ({
    subject: NOTICES[notice].subject(brand),
    preheader: 'Um aviso para a sua segurança.',
    heading: NOTICES[notice].heading,
    paragraphs: [`Olá, ${name}. ${NOTICES[notice].text}`],
    facts: [{ label: 'Quando', value: time(at) }],
    button: null,
    notes: [NOTICES[notice].advice ?? 'Se não foi você, redefina sua senha imediatamente e fale conosco.'],
  }),
}
