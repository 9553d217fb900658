// A password, with the button that shows it.
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { inLanguageOfPage, ownTexts } from '../texts/texts.ts'

export function Password(props: PasswordInputProps) {
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': inLanguageOfPage(TEXTS).show }} {...props} />
}

const TEXTS = ownTexts({ en: { show: 'Show or hide the password' }, 'pt-BR': { show: 'Mostrar ou ocultar a senha' } })
