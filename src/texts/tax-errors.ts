// Explanations of the frequent codes of the tax authority and of our own. The authority's message is shown next to
// them.

import type { Language } from './language.ts'

const SIGNATURE_PT =
  'A assinatura digital da declaração não foi aceita: verifique se o certificado é válido e pertence à ' +
  'empresa emitente.'
const SIGNATURE_EN =
  'The digital signature of the declaration was not accepted: check that the certificate is valid and ' +
  'belongs to the issuing company.'

const RATE_FORBIDDEN_PT =
  'A declaração informou uma alíquota de ISS que o regime da empresa ou o convênio do município não ' +
  'permite. Nossa equipe precisa retirá-la do perfil fiscal ou do produto.'
const RATE_FORBIDDEN_EN =
  'The declaration names an ISS rate, which the company’s regime or the municipality’s agreement does not ' +
  'allow. Our staff has to remove it from the fiscal profile or the product.'
const RATE_MISSING_PT =
  'Falta a alíquota de ISS, que o regime da empresa ou a situação do município exige. Nossa equipe precisa ' +
  'incluí-la no perfil fiscal ou no produto.'
const RATE_MISSING_EN =
  'The ISS rate is missing, which the company’s regime or the state of the municipality’s agreement ' +
  'requires. Our staff has to add it to the fiscal profile or the product.'

const portuguese = {
  E0004: 'O identificador da declaração não corresponde aos seus dados. Verifique município, CNPJ e série do emitente.',
  E0006: 'A declaração foi enviada para o ambiente errado (produção ou testes). Verifique a configuração.',
  E0008: 'A data de emissão está no futuro para a Receita. Verifique o relógio do servidor e tente de novo.',
  E0010: 'A série da declaração não é permitida para este tipo de emissor. Verifique a série configurada.',
  E0014:
    'Já existe uma nota com esta série e número. Se uma nova tentativa não resolver, outro sistema usa a ' +
    'mesma série: cancele esta e emita outra.',
  E0015: 'A data de competência é posterior à data de emissão. Verifique as datas e o relógio do servidor.',
  E0037: 'O município do emitente ainda não está ativo no sistema nacional da NFS-e.',
  E0038: 'O município do emitente não permite a emissão pelo sistema nacional da NFS-e nesta data.',
  E0080: 'O CNPJ do emitente não foi aceito. Verifique o cadastro da empresa emitente na Receita.',
  E0188: 'O CNPJ do cliente não foi aceito. Corrija os dados da organização e tente de novo.',
  E0600: RATE_FORBIDDEN_PT,
  E0602: RATE_FORBIDDEN_PT,
  E0604: RATE_FORBIDDEN_PT,
  E0617: RATE_FORBIDDEN_PT,
  E0619: RATE_MISSING_PT,
  E0621: RATE_MISSING_PT,
  E0625: RATE_FORBIDDEN_PT,
  E0628: RATE_MISSING_PT,
  E0631: RATE_FORBIDDEN_PT,
  E0635: RATE_FORBIDDEN_PT,
  E0640: RATE_MISSING_PT,
  E0714: SIGNATURE_PT,
  E0715: SIGNATURE_PT,
  E0716: SIGNATURE_PT,
  E0717: SIGNATURE_PT,
  E0718: 'O certificado que assinou a declaração não pertence à empresa emitente (raiz do CNPJ diferente).',
  E0819: 'A nota não foi encontrada no sistema da autoridade fiscal.',
  E0822: 'O prazo para cancelar esta nota terminou. Fale com a prefeitura do município do emitente.',
  E0835: 'O prazo para cancelar esta nota terminou. Fale com a prefeitura do município do emitente.',
  E0840: 'O pedido contradiz um evento anterior da nota, como um cancelamento ou uma substituição já registrados.',
  E1235: 'A declaração não segue o leiaute exigido. Verifique os dados da organização e o perfil fiscal.',
  NO_FISCAL_PROFILE: 'Ainda não há perfil fiscal válido na data de competência. Nossa equipe precisa cadastrá-lo.',
  NO_SERVICE_CODE: 'O perfil fiscal não tem código de serviço para estes itens. Nossa equipe precisa cadastrá-lo.',
  NUMBER_TAKEN:
    'Outro sistema já usou esta série e número. Nossa equipe precisa cancelar esta e emitir outra, que terá ' +
    'o número seguinte; se outro sistema usa a mesma série, é preciso separá-las.',
  RECIPIENT_COUNTRY:
    'O país do endereço não foi reconhecido. Corrija os dados da organização, por exemplo com “BR” ou “Portugal”.',
  RECIPIENT_NAME: 'Falta a razão social. Preencha-a nos dados da organização.',
  RECIPIENT_TAX_ID: 'Falta um CNPJ ou CPF válido. Preencha-o nos dados da organização.',
  RECIPIENT_FOREIGN_TAX_ID: 'Falta o número fiscal do país da organização. Preencha-o nos dados da organização.',
  RECIPIENT_IBGE_CODE: 'Falta o código IBGE do município (sete dígitos) no endereço da organização.',
  RECIPIENT_ZIPCODE: 'Falta o CEP (oito dígitos) no endereço da organização.',
  RECIPIENT_ADDRESS: 'Falta o logradouro no endereço da organização.',
  RECIPIENT_NEIGHBORHOOD: 'Falta o bairro no endereço da organização.',
  RECIPIENT_CITY: 'Falta a cidade no endereço da organização.',
  PROVIDER_TAX_ID: 'Falta o CNPJ da empresa emitente na configuração. Nossa equipe precisa cadastrá-lo.',
  SERIES: 'A série da declaração não é permitida. Nossa equipe precisa verificar a configuração.',
  COMPETENCE:
    'A data do pagamento ou da declaração não serve como data de competência. Nossa equipe precisa verificá-la.',
  DESCRIPTION: 'A descrição do serviço não tem texto que possa ser declarado. Emita outra com uma descrição.',
  REASON: 'O motivo precisa de 15 a 255 caracteres do alfabeto latino. Escreva-o assim e peça de novo.',
  REPLACEMENT_REASON: 'O motivo precisa de 15 a 255 caracteres do alfabeto latino. Cancele esta e substitua de novo.',
  EXPORT: 'O perfil fiscal declara exportações, mas a organização está no Brasil. Verifique o país do endereço.',
  NOT_ISSUED: 'A nota que seria substituída não está mais emitida.',
  UNAVAILABLE: 'A autoridade fiscal não pôde ser contatada. Nada foi emitido; tentaremos de novo.',
  NOT_TRUSTED:
    'O certificado do sistema da autoridade fiscal não é reconhecido. Nossa equipe precisa configurar as ' +
    'autoridades que o emitem.',
  UNCLEAR:
    'A nota foi enviada, mas a autoridade fiscal não confirmou o resultado. Antes de reenviar, ' +
    'consultaremos o que foi emitido.',
}

type TaxErrorCode = keyof typeof portuguese

const english: Record<TaxErrorCode, string> = {
  E0004:
    'The identifier of the declaration does not match its data. Check municipality, CNPJ and series of the issuer.',
  E0006: 'The declaration went to the wrong environment (production or test). Check the configuration.',
  E0008: 'For the authority the date of issue is in the future. Check the clock of the server and try again.',
  E0010: 'The series of the declaration is not allowed for this kind of issuer. Check the configured series.',
  E0014:
    'There is a tax invoice with this series and number already. If another try does not help, another ' +
    'system uses the same series: cancel this one and issue anew.',
  E0015: 'The competence date is after the date of issue. Check the dates and the clock of the server.',
  E0037: 'The municipality of the issuer is not active in the national NFS-e system yet.',
  E0038: 'The municipality of the issuer does not allow issuing by the national NFS-e system on this date.',
  E0080: 'The CNPJ of the issuer was not accepted. Check how the issuing company is registered.',
  E0188: 'The CNPJ of the customer was not accepted. Correct the data of the organization and try again.',
  E0600: RATE_FORBIDDEN_EN,
  E0602: RATE_FORBIDDEN_EN,
  E0604: RATE_FORBIDDEN_EN,
  E0617: RATE_FORBIDDEN_EN,
  E0619: RATE_MISSING_EN,
  E0621: RATE_MISSING_EN,
  E0625: RATE_FORBIDDEN_EN,
  E0628: RATE_MISSING_EN,
  E0631: RATE_FORBIDDEN_EN,
  E0635: RATE_FORBIDDEN_EN,
  E0640: RATE_MISSING_EN,
  E0714: SIGNATURE_EN,
  E0715: SIGNATURE_EN,
  E0716: SIGNATURE_EN,
  E0717: SIGNATURE_EN,
  E0718: 'The certificate that signed the declaration does not belong to the issuing company (another CNPJ root).',
  E0819: 'The tax authority has no such tax invoice.',
  E0822: 'The period for cancelling this tax invoice has ended. Talk to the tax office of the issuer’s municipality.',
  E0835: 'The period for cancelling this tax invoice has ended. Talk to the tax office of the issuer’s municipality.',
  E0840: 'The request contradicts an earlier event, such as a cancellation or substitution that is on record already.',
  E1235:
    'The declaration does not follow the required layout. Check the data of the organization and the fiscal profile.',
  NO_FISCAL_PROFILE: 'No fiscal profile is valid on the day of competence yet. Our staff has to add one.',
  NO_SERVICE_CODE: 'The fiscal profile has no service code for these lines. Our staff has to add one.',
  NUMBER_TAKEN:
    'Another system has used this series and number. Our staff has to cancel this one and issue anew, which ' +
    'takes the next number; another system that uses the same series needs one of its own.',
  RECIPIENT_COUNTRY:
    'The country of the address is not known. Correct the data of the organization, with “BR” or “Portugal” ' +
    'for instance.',
  RECIPIENT_NAME: 'The legal name is missing. Add it to the data of the organization.',
  RECIPIENT_TAX_ID: 'A valid CNPJ or CPF is missing. Add it to the data of the organization.',
  RECIPIENT_FOREIGN_TAX_ID:
    'The tax number of the organization’s country is missing. Add it to the data of the organization.',
  RECIPIENT_IBGE_CODE: 'The IBGE code of the city (seven digits) is missing in the address of the organization.',
  RECIPIENT_ZIPCODE: 'The postal code (eight digits) is missing in the address of the organization.',
  RECIPIENT_ADDRESS: 'The street is missing in the address of the organization.',
  RECIPIENT_NEIGHBORHOOD: 'The neighborhood is missing in the address of the organization.',
  RECIPIENT_CITY: 'The city is missing in the address of the organization.',
  PROVIDER_TAX_ID: 'The CNPJ of the issuing company is missing in the configuration. Our staff has to add it.',
  SERIES: 'The series of the declaration is not allowed. Our staff has to check the configuration.',
  COMPETENCE:
    'The day of the payment or of the declaration cannot be the day of competence. Our staff has to check it.',
  DESCRIPTION:
    'The description of the service has no text that could be declared. Issue another one with a description.',
  REASON: 'The reason needs 15 to 255 characters of the Latin alphabet. Correct it and request it again.',
  REPLACEMENT_REASON:
    'The reason needs 15 to 255 characters of the Latin alphabet. Cancel this one and substitute the original again.',
  EXPORT: 'The fiscal profile declares exports, but the organization is in Brazil. Check the country of its address.',
  NOT_ISSUED: 'The tax invoice that was to be replaced is not issued any more.',
  UNAVAILABLE: 'The tax authority could not be reached. Nothing was issued; we will try again.',
  NOT_TRUSTED:
    'The certificate of the tax authority’s system is not trusted. Our staff has to configure the ' +
    'authorities that issue it.',
  UNCLEAR:
    'It was sent, but the tax authority has not confirmed the result. Before sending again we will ask what ' +
    'was issued.',
}

export const EXPLANATIONS = { 'pt-BR': portuguese, en: english } satisfies Record<
  Language,
  Record<TaxErrorCode, string>
>

/** Null for a code without an explanation. */
export function explainTaxError(language: Language, code: string): string | null {
  const known: Readonly<Record<string, string>> = EXPLANATIONS[language]
  return Object.hasOwn(known, code) ? (known[code] ?? null) : null
}
