import { ownTexts } from '../texts/texts.ts'

export const SEVERAL_TEXTS = ownTexts({
  en: {
    title: '{act}: {count} chosen',
    start: '{act} ({count})',
    goesOn: 'It goes on while you open other screens.',
    underWay: 'Under way',
    stop: 'Stop',
    close: 'Close',
    progress: 'How far it is',
    count: '{done} of {all}',
    failed: 'Not done: {count}',
    results: { waits: 'Waits', runs: 'One moment …', done: '✓ Done', left: 'Not possible in its state' },
  },
  'pt-BR': {
    title: '{act}: {count} selecionados',
    start: '{act} ({count})',
    goesOn: 'A operação continua enquanto você abre outras telas.',
    underWay: 'Em andamento',
    stop: 'Parar',
    close: 'Fechar',
    progress: 'Andamento',
    count: '{done} de {all}',
    failed: 'Não feitos: {count}',
    results: { waits: 'Na fila', runs: 'Um momento …', done: '✓ Feito', left: 'Não é possível nesta situação' },
  },
})
