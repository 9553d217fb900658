// What logs say of acts.
import * as en from '../texts/en/acts.ts'
import * as portuguese from '../texts/pt-br/acts.ts'
import { ownTexts } from '../texts/texts.ts'

export const timelineTexts = ownTexts({
  en: { system: 'the service', key: 'API key', show: 'What changed', hide: 'Less', acts: en.acts, kinds: en.kinds },
  'pt-BR': {
    system: 'o serviço',
    key: 'chave de API',
    show: 'O que mudou',
    hide: 'Menos',
    acts: portuguese.acts,
    kinds: portuguese.kinds,
  },
})
