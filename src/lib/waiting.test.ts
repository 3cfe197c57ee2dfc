import { describe, expect, it } from 'vitest'
import { beginsWithWaiting, saysLeaving } from './waiting.ts'

describe('a text says that more is coming', () => {
  it.each(['Loading…', 'Please wait while we look for ferries', 'Wird geladen …', '加载中', '⏳ Chargement'])('when it begins with %s', (text) => expect(beginsWithWaiting(text)).toBe(true))
  it.each(['Loadings of the harbour', 'The page is loading', 'Ladenschluss'])('but not when it begins with %s', (text) => expect(beginsWithWaiting(text)).toBe(false))
})

describe('a text says that another page follows', () => {
  it.each([
    'You will be redirected to our new site in 5 seconds.', 'You are now being redirected.', 'You will automatically be forwarded', 'Sie werden in 5 Sekunden automatisch weitergeleitet.', 'Vous allez être automatiquement redirigé', 'Serás redirigido en breve', 'Você será automaticamente redirecionado', 'Verrai automaticamente reindirizzato', 'U wordt over 5 seconden doorgestuurd', 'Za chwilę nastąpi automatyczne przekierowanie', 'Через 5 секунд вы будете перенаправлены',
  ])('in the words %s', (text) => expect(saysLeaving(text)).toBe(true))
  it.each(['The river will be redirected next year.', 'Mail is forwarded on Mondays.', 'Die Post wird weitergeleitet.'])('but not in the words %s', (text) => expect(saysLeaving(text)).toBe(false))
})
