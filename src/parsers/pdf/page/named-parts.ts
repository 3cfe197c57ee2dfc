/** Names of parts of a text, in some languages, with their number behind them. */
const part =
  /^(?:annex|appendix|article|case|chapter|day|example|exercise|figure|lecture|lesson|module|part|problem|question|rule|schedule|section|session|step|table|task|unit|week|abschnitt|anhang|anlage|artikel|aufgabe|beispiel|frage|kapitel|lektion|schritt|teil|übung|chapitre|exercice|étape|leçon|partie|anexo|artículo|artigo|capítulo|ejercicio|exercício|sección|seção|articolo|capitolo|esercizio|sezione|hoofdstuk|oefening|rozdział)\s(?:\d{1,3}|[ivxlc]{1,7})(?![\p{L}\d])/iu

/** Whether a line names a numbered part of the text: where each page has one, their numbers count the pages as page numbers do. */
export const namesPart = (line: string): boolean => part.test(line.replace(/^[#*\s]+/, ''))
