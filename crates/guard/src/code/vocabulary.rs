//! Names of functions and methods, grouped by what they do with the text that they are given.

/// Functions and methods that print.
pub(super) const PRINTS: &str = "print pprint pp p puts log error info warn debug dir table echo print_r var_dump \
     var_export printf cat display show message";

/// Functions that turn text into an object.
pub(super) const PARSES: &str = "load loads safe_load safe_load_all load_all full_load parse fromstring literal_eval \
     reader DictReader BeautifulSoup read_string read_file XML json_decode \
     simplexml_load_string yaml_parse json fromJSON parse_string parseString parseDocument \
     ElementTree read_csv read_json read_table safeLoad iterparse parse_file etree";

/// Functions that turn an object into text.
pub(super) const SERIALISES: &str =
    "dumps stringify json_encode safe_dump pretty_generate generate to_string";

/// Functions and methods whose result contains text that they were given.
pub(super) const KEEPS: &str = "read readlines readline toString decode encode split splitlines strip lstrip rstrip trim \
     trimEnd trimStart slice join replace replaceAll lower upper toLowerCase toUpperCase \
     substring substr at filter text lines chomp format match findall group groups sort \
     reverse pop shift concat flat bytes str list repr sorted reversed enumerate tuple iter \
     next String from StringIO TextIOWrapper search sub finditer islice expandtabs ljust \
     rjust open Buffer matchAll exec dict set zip list_reverseiterator explode implode \
     array_slice head tail dedent indent shorten Path each_line to_s";

/// Functions and methods whose result is a fact about the text, not the text.
pub(super) const MEASURES: &str = "len sum max min any all bool int float hash sha256 sha1 md5 update hexdigest isinstance \
     type Counter compile count find rfind index rindex startswith endswith includes indexOf \
     lastIndexOf startsWith endsWith length size test has isdigit close seek name closed \
     crc32 adler32 byteLength Number parseInt parseFloat strlen count_chars exec_module nrow \
     ncol summary nchar statistics mean median writer DictWriter isatty flush tell validate";

/// Methods of an object that still show all of it.
pub(super) const SHOWS_ALL: &str = "head tail to_string to_markdown to_csv to_json sample values items iterrows itertuples \
     to_dict tolist toString copy entries map forEach";

/// Keywords that only test the expression after them.
pub(super) const ASKS: &str = "if elif elsif while until unless assert not switch";
