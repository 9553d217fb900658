// Signing in once more over the screen that is open: what was typed stays below. Somebody else begins with a page of their
// own.
import { Modal } from '@mantine/core'
import { SignIn, type SignInProps } from './sign-in.tsx'

export function SignInAgain(props: SignInProps) {
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} title={props.texts.signIn.ended} size="xl">
      <SignIn {...props} as="div" />
    </Modal>
  )
}
