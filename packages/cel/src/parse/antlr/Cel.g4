/*
 * The grammar of the language, for the parser that words syntax errors.
 *
 * Messages list the tokens that could have come next, in the order the tokens are defined here, and recovery
 * follows the alternatives as they stand here. So the order of tokens, of rules and of alternatives is part of
 * the behaviour: it is cel-go's. Token names from WHITESPACE on appear in messages and are cel-go's too.
 * Regenerate the TypeScript with `node tools/generate-cel-grammar.mjs` after any change.
 */
grammar Cel;

start : root=expr EOF ;

expr : condition=or (question='?' whenTrue=or ':' whenFalse=expr)? ;

or : first=and (operators+='||' rest+=and)* ;

and : first=relation (operators+='&&' rest+=relation)* ;

relation
    : calc
    | relation operator=('<' | '<=' | '>=' | '>' | '==' | '!=' | 'in') relation
    ;

calc
    : unary
    | calc operator=('*' | '/' | '%') calc
    | calc operator=('+' | '-') calc
    ;

unary
    : member                        # PlainMember
    | (operators+='!')+ member      # Not
    | (operators+='-')+ member      # Negate
    ;

member
    : primary                                                        # PlainPrimary
    | member dot='.' (optional='?')? property=fieldName             # Select
    | member dot='.' name=IDENTIFIER open='(' args=arguments? ')'    # MemberCall
    | member open='[' (optional='?')? index=expr ']'                 # Index
    ;

primary
    : leadingDot='.'? name=IDENTIFIER                                # Variable
    | leadingDot='.'? name=IDENTIFIER (open='(' args=arguments? ')') # GlobalCall
    | '(' inner=expr ')'                                             # Nested
    | open='[' content=elements? ','? ']'                            # List
    | open='{' content=entries? ','? '}'                             # Map
    | leadingDot='.'? names+=IDENTIFIER (dots+='.' names+=IDENTIFIER)*
        open='{' content=fields? ','? '}'                            # Message
    | literal                                                        # Constant
    ;

arguments : list+=expr (',' list+=expr)* ;

elements : list+=element (',' list+=element)* ;

fields : names+=field colons+=':' values+=expr (',' names+=field colons+=':' values+=expr)* ;

field : (optional='?')? fieldName ;

entries : keys+=element colons+=':' values+=expr (',' keys+=element colons+=':' values+=expr)* ;

fieldName
    : name=IDENTIFIER        # PlainName
    | name=ESC_IDENTIFIER    # EscapedName
    ;

element : (optional='?')? value=expr ;

literal
    : sign=MINUS? token=NUM_INT      # Int
    | token=NUM_UINT                 # Uint
    | sign=MINUS? token=NUM_FLOAT    # Double
    | token=STRING                   # String
    | token=BYTES                    # Bytes
    | token=TRUE                     # True
    | token=FALSE                    # False
    | token=NULL                     # Null
    ;

EQUALS : '==' ;
NOT_EQUALS : '!=' ;
IN : 'in' ;
LESS : '<' ;
LESS_EQUALS : '<=' ;
GREATER_EQUALS : '>=' ;
GREATER : '>' ;
AND : '&&' ;
OR : '||' ;
OPEN_BRACKET : '[' ;
CLOSE_BRACKET : ']' ;
OPEN_BRACE : '{' ;
CLOSE_BRACE : '}' ;
OPEN_PAREN : '(' ;
CLOSE_PAREN : ')' ;
DOT : '.' ;
COMMA : ',' ;
MINUS : '-' ;
NOT : '!' ;
QUESTION : '?' ;
COLON : ':' ;
PLUS : '+' ;
TIMES : '*' ;
DIVIDE : '/' ;
MODULO : '%' ;
TRUE : 'true' ;
FALSE : 'false' ;
NULL : 'null' ;

fragment Escape : '\\' ;
fragment Letter : 'A'..'Z' | 'a'..'z' ;
fragment Digit : '0'..'9' ;
fragment Exponent : ('e' | 'E') ('+' | '-')? Digit+ ;
fragment HexDigit : ('0'..'9' | 'a'..'f' | 'A'..'F') ;
fragment RawPrefix : 'r' | 'R' ;
fragment EscapeSequence : CharEscape | ByteEscape | CodePointEscape | OctalEscape ;
fragment CharEscape : Escape ('a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '"' | '\'' | '\\' | '?' | '`') ;
fragment OctalEscape : Escape ('0'..'3') ('0'..'7') ('0'..'7') ;
fragment ByteEscape : Escape ('x' | 'X') HexDigit HexDigit ;
fragment CodePointEscape
    : Escape 'u' HexDigit HexDigit HexDigit HexDigit
    | Escape 'U' HexDigit HexDigit HexDigit HexDigit HexDigit HexDigit HexDigit HexDigit
    ;

WHITESPACE : ('\t' | ' ' | '\r' | '\n' | '\u000C')+ -> channel(HIDDEN) ;
COMMENT : '//' (~'\n')* -> channel(HIDDEN) ;

NUM_FLOAT : (Digit+ ('.' Digit+) Exponent? | Digit+ Exponent | '.' Digit+ Exponent?) ;
NUM_INT : (Digit+ | '0x' HexDigit+) ;
NUM_UINT : Digit+ ('u' | 'U') | '0x' HexDigit+ ('u' | 'U') ;
STRING
    : '"' (EscapeSequence | ~('\\' | '"' | '\n' | '\r'))* '"'
    | '\'' (EscapeSequence | ~('\\' | '\'' | '\n' | '\r'))* '\''
    | '"""' (EscapeSequence | ~('\\'))*? '"""'
    | '\'\'\'' (EscapeSequence | ~('\\'))*? '\'\'\''
    | RawPrefix '"' ~('"' | '\n' | '\r')* '"'
    | RawPrefix '\'' ~('\'' | '\n' | '\r')* '\''
    | RawPrefix '"""' .*? '"""'
    | RawPrefix '\'\'\'' .*? '\'\'\''
    ;
BYTES : ('b' | 'B') STRING ;
IDENTIFIER : (Letter | '_') (Letter | Digit | '_')* ;
ESC_IDENTIFIER : '`' (Letter | Digit | '_' | '.' | '-' | '/' | ' ')+ '`' ;
