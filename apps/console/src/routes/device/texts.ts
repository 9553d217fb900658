// What the screen says that lets a device sign in.
import { ownTexts } from '../../texts/texts.ts'

export const deviceTexts = ownTexts({
  en: {
    what: 'A program on a machine without a browser shows a code. Enter it here to let that program sign in as you.',
    code: 'Code',
    warning: 'Only if you began this yourself, just now',
    consequence:
      'Whoever holds the device then acts as {email}. Did somebody send you this code or this page, by mail, chat or ' +
      'telephone? Then reject it: nobody of ours asks you for that.',
    compare: 'The device has to show this code:',
    approve: 'Let it sign in',
    reject: 'Reject',
    approved:
      'The device is being signed in. Go on there; once it has asked again you find its session under “Sessions”, ' +
      'where you can end it.',
    another: 'Another code',
    takeBack: 'Take it back',
    used: 'The device is signed in already: end its session under “Sessions”.',
    rejected: 'The device is not signed in.',
  },
  'pt-BR': {
    what:
      'Um programa em uma máquina sem navegador mostra um código. Digite-o aqui para deixar esse programa entrar ' +
      'como você.',
    code: 'Código',
    warning: 'Somente se foi você que começou isto, agora',
    consequence:
      'Quem está com o dispositivo passa a agir como {email}. Alguém enviou a você este código ou esta página, por ' +
      'e-mail, chat ou telefone? Então recuse: ninguém da nossa equipe pede isso.',
    compare: 'O dispositivo deve mostrar este código:',
    approve: 'Deixar entrar',
    reject: 'Recusar',
    approved:
      'O dispositivo está entrando. Continue nele; assim que ele perguntar de novo, a sessão aparece em “Sessões”, ' +
      'onde você pode encerrá-la.',
    another: 'Outro código',
    takeBack: 'Voltar atrás',
    used: 'O dispositivo já entrou: encerre a sessão dele em “Sessões”.',
    rejected: 'O dispositivo não entrou.',
  },
})
