/** What a link to a footnote shows: a number, a letter or a mark, also in brackets. */
export const noteLabel = /^[[(]?\s*(?:(?:note|ref|fn)\s*)?(\d{1,4}|[a-z]{1,2}|[ivxlc]{1,6}|[*†‡§¶‖#]{1,3})\s*[\])]?$/i
