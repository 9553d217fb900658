// What is shown instead of a screen that could not be drawn, such as one whose file a new version no longer has.
// Forms keep what was typed over the reload.
import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { inLanguageOfPage, ownTexts } from '../texts/texts.ts'

export function Broken() {
  const own = inLanguageOfPage(TEXTS)
  return (
    <Stack align="flex-start" p="md">
      <Alert color="red" role="alert">
        <Title order={1} size="h4">
          {own.title}
        </Title>
        <Text>{own.sentence}</Text>
      </Alert>
      <Button onClick={() => globalThis.location.reload()}>{own.reload}</Button>
    </Stack>
  )
}

const TEXTS = ownTexts({
  en: {
    title: 'This page could not be shown.',
    sentence:
      'Perhaps there is a new version, or the connection was lost. Load it again; forms keep what you have written.',
    reload: 'Load again',
  },
  'pt-BR': {
    title: 'Não foi possível mostrar esta página.',
    sentence:
      'Talvez exista uma nova versão, ou a conexão tenha caído. Carregue-a de novo; os formulários guardam o que ' +
      'você escreveu.',
    reload: 'Carregar de novo',
  },
})
