// What is wrong with a field, by its code: the English sentence that the code throws, and the Portuguese one. `{1}`
// stands for what differs. Here is what the kernel and http say; the modules' are in the files beside.

/** The codes of `errors.field_codes`. */
export const FIELD_CODES = {
  required: 'It has to be given',
  unknown_field: 'There is no such field',
  wrong_type: 'It is of another type, such as a text instead of a number',
  wrong_format: 'A text that is not in the form that is asked for, or has characters that are not allowed',
  not_in_list: 'It is none of the values that are allowed',
  too_short: 'Too few characters',
  too_long: 'Too many characters or bytes',
  too_few: 'Too few items',
  too_many: 'Too many items, or too much is asked for at once',
  too_small: 'A number or an amount below the smallest',
  too_large: 'A number or an amount above the largest',
  too_early: 'A day or a moment that is too early',
  too_late: 'A day or a moment that is too late',
  duplicate: 'It is there twice',
  taken: 'Another record has it',
  not_found: 'It names no record, or none that the caller may use here',
  not_eligible: 'The record that it names is there, but not in a state or of a kind that this needs',
  mismatch: 'It contradicts another field, or what is known already',
  not_together: 'It cannot be given beside another field',
  not_permitted: 'The caller may not set it',
  wrong_secret: 'A password, code, token or proof that is wrong, used or expired',
  invalid: 'Anything else; the sentence says what',
} as const
export type FieldCode = keyof typeof FIELD_CODES

/** From the English sentence to the Portuguese one. */
export type Sentences = Readonly<Record<string, string>>
export type FieldSentences = Readonly<Partial<Record<FieldCode, Sentences>>>

export const generalFields: FieldSentences = {
  required: {
    'is required': 'é obrigatório',
    'is required, or external_id or metadata': 'é obrigatório, ou então external_id ou metadata',
    'is required for this act: the header says why': 'é obrigatório para este ato: o cabeçalho diz o motivo',
    'is required, or {1}': 'é obrigatório, ou então {1}',
  },
  unknown_field: {
    'unknown field': 'campo desconhecido',
    'the record has no field {1}': 'o registro não tem o campo {1}',
    'the record has no relation {1}; it has {2}, and theirs':
      'o registro não tem a relação {1}; tem {2}, e as relações delas',
  },
  wrong_type: {
    'must be a text': 'deve ser um texto',
    'must be a whole number': 'deve ser um número inteiro',
    'must be a number': 'deve ser um número',
    'must be true or false': 'deve ser true ou false',
    'must be a list': 'deve ser uma lista',
    'must be an object': 'deve ser um objeto',
    'must be null': 'deve ser null',
    'must be a JSON object': 'deve ser um objeto JSON',
    'must be a text or null': 'deve ser um texto ou null',
    'must be a whole number or null': 'deve ser um número inteiro ou null',
    'must be a number or null': 'deve ser um número ou null',
    'must be true or false or null': 'deve ser true, false ou null',
    'must be a list or null': 'deve ser uma lista ou null',
    'must be an object or null': 'deve ser um objeto ou null',
    'must be a whole number or a text': 'deve ser um número inteiro ou um texto',
    'must be a text or a whole number or true or false': 'deve ser um texto, um número inteiro, true ou false',
    'must be true or false or a whole number or a text': 'deve ser true, false, um número inteiro ou um texto',
    'must be a text or a list': 'deve ser um texto ou uma lista',
    'must be a text or a whole number': 'deve ser um texto ou um número inteiro',
  },
  wrong_format: {
    'must be a date such as 2026-12-31': 'deve ser uma data, como 2026-12-31',
    'must be a time such as 2026-11-20T14:42:55.123Z': 'deve ser um momento, como 2026-11-20T14:42:55.123Z',
    'must be an e-mail address': 'deve ser um endereço de e-mail',
    'must be an address such as https://acme.example': 'deve ser um endereço, como https://acme.example',
    'must be an address such as https://acme.example/webhooks':
      'deve ser um endereço, como https://acme.example/webhooks',
    'is not a currency in use (ISO 4217)': 'não é uma moeda em uso (ISO 4217)',
    'must be a time zone such as America/Sao_Paulo': 'deve ser um fuso horário, como America/Sao_Paulo',
    'must not be blank, nor hold invisible characters or marks that turn its direction':
      'não pode estar em branco nem ter caracteres invisíveis ou marcas que invertem a direção do texto',
    'must be a JSON text of at most {1} KiB': 'deve ser um texto JSON de até {1} KiB',
    'does not have an allowed form': 'não tem uma forma permitida',
    'must be a percentage from 0 to 100, with two digits after the point at most':
      'deve ser uma porcentagem de 0 a 100, com até duas casas decimais',
    'must be a month from 1950-01 to 2199-12': 'deve ser um mês de 1950-01 a 2199-12',
    'must have the form of {1}': 'deve ter a forma de {1}',
    'must not be blank, nor have characters that are not allowed here':
      'não pode estar em branco nem ter caracteres que não são permitidos aqui',
    'must not contain NUL or unpaired surrogates': 'não pode conter NUL nem caracteres Unicode incompletos',
    'has a name that must not contain NUL or unpaired surrogates':
      'tem um nome que não pode conter NUL nem caracteres Unicode incompletos',
    'must begin with https://': 'deve começar com https://',
    'must not contain credentials': 'não pode conter credenciais',
    'must not have a fragment': 'não pode ter fragmento (#)',
    'must not have a query': 'não pode ter parâmetros (?)',
    'must be on port 443, or on one from 1024 on': 'deve usar a porta 443, ou uma a partir de 1024',
    'must be at a public address': 'deve estar em um endereço público',
    'Not a currency': 'Não é uma moeda',
    'Not an amount: digits, and a point before the minor digits':
      'Não é um valor: use algarismos, e um ponto antes dos centavos',
    'At most {1} digits after the point in {2}': 'No máximo {1} casas depois do ponto em {2}',
    'Not a percentage: 0 to 100, at most 2 digits': 'Não é uma porcentagem: de 0 a 100, com até 2 casas',
    'must name fields, by comma': 'deve listar campos, separados por vírgula',
    'is no cursor of this list with these filters and this order':
      'não é um cursor desta lista com estes filtros e esta ordem',
  },
  not_in_list: {
    'must be one of {1}': 'deve ser um destes valores: {1}',
  },
  too_short: {
    'must not be empty': 'não pode ficar vazio',
    'must have at least {1} characters': 'deve ter pelo menos {1} caracteres',
  },
  too_long: { 'must have at most {1} characters': 'deve ter no máximo {1} caracteres' },
  too_few: {
    'must have at least {1} items': 'deve ter pelo menos {1} itens',
    'must have at least {1} members': 'deve ter pelo menos {1} membros',
  },
  too_many: {
    'must have at most {1} items': 'deve ter no máximo {1} itens',
    'must have at most {1} members': 'deve ter no máximo {1} membros',
    'must not be nested more than {1} deep': 'não pode ter mais de {1} níveis',
    'must not have more than {1} members in one place': 'não pode ter mais de {1} membros em um só lugar',
    'must name at most {1} relations': 'deve citar no máximo {1} relações',
    'leads to more than {1} records; ask for fewer at once': 'leva a mais de {1} registros; peça menos por vez',
  },
  too_small: {
    'must be at least {1}': 'deve ser pelo menos {1}',
    'must be more than {1}': 'deve ser maior que {1}',
  },
  too_large: {
    'must be at most {1}': 'deve ser no máximo {1}',
    'must be less than {1}': 'deve ser menor que {1}',
    'The amount is too large': 'O valor é grande demais',
  },
  too_early: {
    'must lie in the future': 'deve estar no futuro',
    'must be in the future': 'deve estar no futuro',
    'must not lie in the past': 'não pode estar no passado',
    'must not have passed': 'não pode já ter passado',
    'must not be after date_to': 'não pode ser depois de date_to',
    'must not be before from': 'não pode ser antes de from',
    'must not be before {1}': 'não pode ser antes de {1}',
    'must not be before {1}: older entries of the audit log were removed':
      'não pode ser antes de {1}: os registros de auditoria mais antigos foram removidos',
    'must lie from {1} on and before {2}': 'deve estar entre {1} e o início de {2}',
  },
  too_late: {
    'must not lie in the future': 'não pode estar no futuro',
    'must lie within {1} days': 'deve estar dentro de {1} dias',
    'must be at most {1} years after {2}': 'deve ser no máximo {1} anos depois de {2}',
  },
  duplicate: {
    'stands there twice': 'aparece duas vezes',
    'must not have the same item twice': 'não pode ter o mesmo item duas vezes',
  },
  mismatch: {
    'must be the organization that the request is in': 'deve ser a organização da requisição',
    'was used with another body within the last 24 hours': 'foi usada com outro corpo nas últimas 24 horas',
  },
  not_together: {
    'cannot be combined with cursor': 'não pode ser usado junto com cursor',
    'cannot be combined with search': 'não pode ser usado junto com search',
    'cannot be combined with search, which gives the newest first':
      'não pode ser usado junto com search, que traz primeiro os mais recentes',
    'is for lists with a cursor; pages have their total': 'é para listas com cursor; as páginas já têm o total',
  },
}
