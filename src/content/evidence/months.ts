/**
 * Month names in dates, in 24 languages (Unicode CLDR), full and abbreviated without the final dot, in lower case; the
 * first row is January. Written out, because getting them from the platform took a quarter of a second.
 */
export const months: readonly (readonly string[])[] = [
  'january jan januar janvier janv enero ene gennaio gen janeiro januari stycznia sty января янв tammikuuta ledna januára január ianuarie ian ocak oca ιανουαρίου ιαν січня січ януари يناير ינואר',
  'february feb februar février févr febrero febbraio fevereiro fev februari lutego lut февраля февр helmikuuta února februára február febr februarie şubat şub φεβρουαρίου φεβ лютого лют февруари فبراير פברואר',
  'march mar märz mars marzo março maart mrt marca марта мар marts maaliskuuta března március márc martie mart μαρτίου μαρ березня бер март maret مارس מרץ',
  'april apr avril avr abril abr aprile kwietnia kwi апреля апр huhtikuuta dubna apríla április ápr aprilie nisan nis απριλίου απρ квітня квіт април أبريل אפריל',
  'may mai mayo maggio mag maio mei maja maj мая toukokuuta května mája május máj mayıs μαΐου μαΐ травня трав май مايو מאי',
  'june jun juni juin junio giugno giu junho czerwca cze июня июн kesäkuuta června júna június jún iunie iun haziran haz ιουνίου ιουν червня черв юни يونيو יוני',
  'july jul juli juillet juil julio luglio lug julho lipca lip июля июл heinäkuuta července júla július júl iulie iul temmuz tem ιουλίου ιουλ липня лип юли يوليو יולי',
  'august aug août agosto ago augustus sierpnia sie augusti августа авг elokuuta srpna augusta augusztus ağustos ağu αυγούστου αυγ серпня серп август agustus agu أغسطس אוגוסט',
  'september sep sept septembre septiembre settembre set setembro września wrz сентября сент syyskuuta září septembra szeptember szept septembrie eylül eyl σεπτεμβρίου σεπ вересня вер септември سبتمبر ספטמבר',
  'october oct oktober okt octobre octubre ottobre ott outubro out października paź октября окт lokakuuta října októbra október octombrie ekim eki οκτωβρίου οκτ жовтня жовт октомври أكتوبر אוקטובר',
  'november nov novembre noviembre novembro listopada lis ноября нояб marraskuuta listopadu novembra noiembrie kasım kas νοεμβρίου νοε листопада лист ноември نوفمبر נובמבר',
  'december dec dezember dez décembre déc diciembre dic dicembre dezembro grudnia gru декабря дек desember des joulukuuta prosince decembra decembrie aralık ara δεκεμβρίου δεκ грудня груд декември ديسمبر דצמבר',
].map((names) => names.split(' '))
