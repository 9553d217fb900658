// A dialog. Escape closes the one that has the keyboard, and none below it: what was typed there would be lost.
import { Modal, type ModalProps } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { usePerson } from '../context.tsx'

type DialogProps = Pick<ModalProps, 'title' | 'size' | 'onClose' | 'children'> & { opened?: boolean }

export function Dialog({ opened = true, onClose, ...props }: DialogProps) {
  const { texts } = usePerson()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnEscape={false}
      onKeyDown={(event) => isEscape(event) && onClose()}
      closeButtonProps={{ 'aria-label': texts.act.cancel }}
      {...props}
    />
  )
}

/** Not one that closes the list of a field. */
const isEscape = ({ key, target, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Escape' &&
  !nativeEvent.isComposing &&
  !(target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true')
